#include "python/src/values/errors.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace optgap::python {
namespace {

constexpr char const* status_names[] = {"ok",
                                        "invalid_argument",
                                        "unknown_task",
                                        "bad_instance",
                                        "device_unavailable",
                                        "device_failed",
                                        "out_of_memory",
                                        "internal",
                                        "sandbox_unavailable"};

nb::object text_or_none(std::string const* text) {
    return text == nullptr ? nb::none() : nb::object(nb::str(text->data(), text->size()));
}

void raise(error const& failed, std::string const* field, std::string const* rule) {
    nb::object const type = nb::module_::import_("optgap.core.errors").attr("Error");
    nb::object const raised =
        type(failed.what(), status_names[int(failed.code())], text_or_none(field), text_or_none(rule));
    PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

void translate_errors() {
    nb::register_exception_translator([](std::exception_ptr const& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (argument_error const& failed) {
            raise(failed, &failed.field(), &failed.rule());
        } catch (field_error const& failed) {
            raise(failed, &failed.field(), &failed.rule());
        } catch (error const& failed) {
            raise(failed, nullptr, nullptr);
        }
    });
}

}  // namespace optgap::python
