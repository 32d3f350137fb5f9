#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "optgap/format.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

/// How a family of reasoning models marks what precedes the answer. The sources are in
/// python/optgap/measure/attacks/families.jsonl.
struct family {
    char const* name;
    std::vector<reasoning_markers> markers;
};

std::vector<family> make_families() {
    return {
        // gpt-oss answers in `final`, whatever its other channels contain. The last pair is what remains where a
        // decoder drops special tokens.
        {"harmony",
         {{"<|channel|>analysis", "<|channel|>final<|message|>"},
          {"<|channel|>commentary", ""},
          {"analysis", "assistantfinal", true}}},
        {"magistral", {{"[THINK]", "[/THINK]"}}},
        {"gemma4", {{"<|channel>thought", "<channel|>"}}},
        {"seed", {{"<seed:think>", "</seed:think>"}}},
        {"kimi", {{"<think>", "</think>"}, {"\u25C1think\u25B7", "\u25C1/think\u25B7"}}},
        {"cohere", {{"<|START_THINKING|>", "<|END_THINKING|>"}}},
    };
}

format_spec at_place(format_spec format, std::string const& name, answer_place place) {
    format.name = name;
    format.place = place;
    format.tail = place == answer_place::boxed ? tail_rule::lenient : tail_rule::strict;
    return format;
}

std::vector<format_spec> make_formats() {
    format_spec const forge;
    format_spec prefilled = forge;
    prefilled.name = "forge_prefilled";
    prefilled.opened_in_prompt = true;
    format_spec optional = forge;
    optional.reasoning = reasoning_rule::optional;
    std::vector<format_spec> all{forge, prefilled, at_place(optional, "answer_only", answer_place::tagged),
                                 at_place(optional, "boxed", answer_place::boxed),
                                 at_place(optional, "answer_line", answer_place::line)};
    for (family const& own : make_families()) {
        optional.markers = own.markers;
        std::string const name = own.name;
        all.push_back(at_place(optional, name, answer_place::tagged));
        all.push_back(at_place(optional, name + "_boxed", answer_place::boxed));
        all.push_back(at_place(optional, name + "_line", answer_place::line));
    }
    return all;
}

std::vector<format_spec> make_program_formats() {
    format_spec program;
    program.name = "program";
    program.place = answer_place::fenced;
    program.reasoning = reasoning_rule::optional;
    format_spec strict = program;
    strict.name = "program_strict";
    strict.one_block = true;
    format_spec lenient = program;
    lenient.name = "program_lenient";
    lenient.tail = tail_rule::lenient;
    lenient.untagged = true;
    return {program, strict, lenient};
}

std::string reasoning_instructions(format_spec const& format) {
    if (format.reasoning == reasoning_rule::none || format.markers.empty()) {
        return "You may reason first. ";
    }
    if (format.opened_in_prompt) {
        return "Reason first; your reasoning part is already open. Close it once with " + format.markers[0].close +
               " and do not open another. ";
    }
    if (format.reasoning == reasoning_rule::optional) {
        return "You may reason first. ";
    }
    return "Reason first, in exactly one part between " + format.markers[0].open + " and " + format.markers[0].close +
           ". ";
}

std::string place_instructions(format_spec const& format, std::string const& form) {
    switch (format.place) {
        case answer_place::tagged:
            return "Then give the final answer, in exactly one part: " + format.answer_open + form +
                   format.answer_close + ".";
        case answer_place::boxed:
            return "Then give the final answer in a box: \\boxed{" + form + "}. Only the last box counts.";
        case answer_place::line:
            return "Then end with the final answer on a line of its own, and nothing behind it:\nAnswer: " + form;
        case answer_place::fenced:
            return "Then give the final answer in a fenced block" +
                   std::string(format.one_block ? ", the only one:" : "; only the last block counts:") + "\n```\n" +
                   form + "\n```\n";
    }
    return {};
}

}  // namespace

std::span<std::string const> end_of_turn_strings() {
    // clang-format off
    static std::vector<std::string> const all{
        "<|im_end|>",                                   // ChatML
        "<|endoftext|>", "<|user|>", "<|observation|>", // GLM 4.5 and later stop where another turn begins
        "</s>",                                         // Llama 1 and 2, Mistral
        "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>",  // Llama 3
        "<|eot|>", "<|eom|>",                           // Llama 4
        "<end_of_turn>", "<eos>", "<turn|>",            // Gemma 1 to 3, Gemma 4
        "<|end|>", "<|return|>", "<|call|>",            // Phi, gpt-oss
        "<\uFF5Cend\u2581of\u2581sentence\uFF5C>",      // DeepSeek
        "<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>",    // Cohere
        "<end_of_utterance>",                           // SmolVLM, Idefics
        "[e~[",                                         // MiniMax
        "<|hy_eos|>", "<|eos|>", "[EOS]",               // Hunyuan and others
        "<seed:eos>", "[|endofturn|]",                  // Seed-OSS, EXAONE
        // padding of a batch after the end
        "<pad>", "[PAD]", "<|pad|>", "<|padding|>", "<|finetune_right_pad_id|>", "<|PAD_TOKEN|>", "<|vision_pad|>",
        "<unk>", "<\uFF5C\u2581pad\u2581\uFF5C>",
    };
    // clang-format on
    return all;
}

namespace {

/// Never moves its entries, so spans of them stay valid while other threads add.
class interned_formats {
public:
    interned_formats() {
        all_.reserve(max_known_formats);
        for (format_spec& format : make_formats()) {
            all_.push_back(std::move(format));
        }
        answers_ = all_.size();
        for (format_spec& format : make_program_formats()) {
            all_.push_back(std::move(format));
        }
        named_ = all_.size();
        count_ = named_;
    }
    [[nodiscard]] std::span<format_spec const> named() const { return {all_.data(), named_}; }
    [[nodiscard]] std::span<format_spec const> of_answers() const { return {all_.data(), answers_}; }
    [[nodiscard]] std::span<format_spec const> of_programs() const { return named().subspan(answers_); }
    [[nodiscard]] std::span<format_spec const> known() const {
        return {all_.data(), count_.load(std::memory_order_acquire)};
    }

    std::int32_t index_of(format_spec const& format) {
        std::scoped_lock const here(lock_);
        auto const found = std::find(all_.begin(), all_.end(), format);
        if (found != all_.end()) {
            return std::int32_t(found - all_.begin());
        }
        if (all_.size() == max_known_formats) {
            throw error(status::invalid_argument, "format: more than " + std::to_string(max_known_formats - named_) +
                                                      " different ones in one process");
        }
        all_.push_back(format);
        count_.store(all_.size(), std::memory_order_release);
        return std::int32_t(all_.size() - 1);
    }

private:
    std::mutex lock_;
    std::vector<format_spec> all_;
    std::size_t answers_ = 0;
    std::size_t named_ = 0;
    std::atomic<std::size_t> count_ = 0;
};

interned_formats& interned() {
    static interned_formats all;
    return all;
}

}  // namespace

std::span<format_spec const> formats() { return interned().of_answers(); }

std::span<format_spec const> program_formats() { return interned().of_programs(); }

std::span<format_spec const> known_formats() { return interned().known(); }

std::int32_t format_index(std::string_view name_or_json) {
    std::span<format_spec const> const named = interned().named();
    auto const found =
        std::find_if(named.begin(), named.end(), [&](format_spec const& f) { return f.name == name_or_json; });
    return found != named.end() ? std::int32_t(found - named.begin()) : interned().index_of(parse_format(name_or_json));
}

format_spec const& format_named(std::string_view name) {
    std::span<format_spec const> const all = interned().named();
    auto const found = std::find_if(all.begin(), all.end(), [&](format_spec const& f) { return f.name == name; });
    if (found != all.end()) {
        return *found;
    }
    std::string known;
    for (format_spec const& f : all) {
        known += (known.empty() ? "" : ", ") + f.name;
    }
    throw error(status::invalid_argument, "format \"" + std::string(name) + "\" is unknown; the formats are " + known);
}

std::string format_instructions(format_spec const& format, std::string_view form) {
    std::string sentences = reasoning_instructions(format) + place_instructions(format, std::string(form));
    if (format.tail == tail_rule::strict && format.place != answer_place::line) {
        sentences += format.place == answer_place::fenced ? "Write nothing after it." : " Write nothing after it.";
    }
    return sentences;
}

}  // namespace optgap
