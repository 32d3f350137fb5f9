#pragma once  // Experimental.
// Report pages: one description, written as a self-contained page of HTML, or as Markdown.

#include <string>
#include <string_view>

namespace optgap {

/// One file of HTML that opens anywhere: tables, plain SVG charts in light and dark, a table beside every chart, a
/// short script for sorting and filtering, without which everything is still shown. It loads nothing. The same
/// description gives the same bytes.
///
/// `page_json` is described field by field in docs/reports.md. Any bytes may stand in its texts: markup is escaped,
/// what is no UTF-8 becomes U+FFFD. Throws field_error that names the field, "sections[2].table.rows[0]", when one is
/// unknown, missing or of the wrong form.
std::string page_html(std::string_view page_json);

/// The same description as Markdown with aligned tables; charts are tables, too, and a picture is a link to its file.
std::string page_markdown(std::string_view page_json);

}  // namespace optgap
