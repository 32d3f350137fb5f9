// IFBench's fixed questions. Each has one answer, or one form of it.

#include <algorithm>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace ifbench_custom {

type_answer multiples(type_input const& in) {
    static constexpr std::string_view wanted[] = {"14", "21", "28", "35", "42", "49"};
    std::string_view const text = in.raw();
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const begin = at;
        for (std::size_t size = 0; at < text.size() && (size = digit_size(text, at)) > 0;) {
            at += size;
        }
        if (at == begin) {
            at += point_size(text, at);
            continue;
        }
        if (count == std::size(wanted) || text.substr(begin, at - begin) != wanted[count]) {
            return {false, std::int64_t(count)};
        }
        ++count;
    }
    return {count == std::size(wanted), std::int64_t(count)};
}

/// ^[A-Ea-e][\.|\)]\s*\w+
bool is_choice(std::string_view line) {
    if (line.size() < 3 || (line[0] | 32) < 'a' || (line[0] | 32) > 'e' ||
        std::string_view(".|)").find(line[1]) == std::string_view::npos) {
        return false;
    }
    std::string_view const rest = trimmed_left(line.substr(2));
    return !rest.empty() && word_size(rest, 0) > 0;
}

/// Splits the text at \n*(?:Question \d+[\.|\):;]?\s*).
std::vector<std::string_view> questions_of(std::string_view text) {
    static constexpr std::string_view label = "Question ";
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; (at = text.find(label, at)) != std::string_view::npos;) {
        std::size_t next = at + label.size();
        std::size_t const digits = next;
        for (std::size_t size = 0; next < text.size() && (size = digit_size(text, next)) > 0;) {
            next += size;
        }
        if (next == digits) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end > begin && text[end - 1] == '\n') {
            --end;
        }
        parts.push_back(text.substr(begin, end - begin));
        next += next < text.size() && std::string_view(".|):;").find(text[next]) != std::string_view::npos;
        for (std::size_t size = 0; next < text.size() && (size = space_size(text, next)) > 0;) {
            next += size;
        }
        begin = at = next;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

type_answer multiple_choice(type_input const& in) {
    // The published rule cuts a text without the word to its last character, which differs from the text unless that
    // has one character.
    if (!in.raw().starts_with("Question") && (in.raw().size() > 4 || point_count(in.raw()) != 1)) {
        return false;
    }
    std::int64_t before = -1;
    std::int64_t count = 0;
    for (std::string_view const part : questions_of(in.raw())) {
        std::string_view const question = trimmed(part);
        if (question.empty()) {
            continue;
        }
        std::string text;
        std::int64_t choices = 0;
        for (std::string_view const line : split_at(question, "\n")) {
            if (is_choice(trimmed(line))) {
                ++choices;
            } else if (choices == 0) {
                text.append(" ").append(trimmed(line));
            }
        }
        std::int64_t const length = point_count(trimmed(text));
        if (++count > 4 || choices != 5 || length <= before) {
            return {false, count};
        }
        before = length;
    }
    return {count == 4, count};
}

type_answer reverse_newline(type_input const& in) {
    std::vector<std::string> lines;
    if (in.text.lines().size() < 52) {
        return false;
    }
    for (std::string_view const line : split_at(in.raw(), "\n")) {
        std::string_view const bare = without_marks(line);
        if (!bare.empty() && (!lines.empty() || contains(bare, "Zimbabwe"))) {
            lines.push_back(ascii_form(bare));
        }
    }
    bool const falling = std::is_sorted(lines.rbegin(), lines.rend());
    return {lines.size() >= 52 && falling, std::int64_t(lines.size())};
}

type_answer word_reverse(type_input const& in) {
    if (!contains(in.forms.lower(), "bald") || !contains(in.forms.lower(), "eagle")) {
        // Deleting punctuation may create the words. This is rare, so the parts are examined only then.
        if (!contains(in.forms.lower_bare().text, "bald") || !contains(in.forms.lower_bare().text, "eagle")) {
            return false;
        }
    }
    std::string bare;
    delete_marks(trimmed(in.forms.lower()), bare);
    std::vector<std::string_view> pieces = pieces_of(bare);
    std::string reversed;
    for (std::size_t k = pieces.size(); k-- > 0;) {
        reversed.append(pieces[k]).append(k > 0 ? " " : "");
    }
    if (!contains(reversed, "bald eagle")) {
        return false;
    }
    // The reversed text must be its own only sentence.
    std::vector<place> sentences;
    split_sentences(reversed, in.sentences, sentences);
    return sentences.size() == 1 && sentences[0].size() == reversed.size() && (!in.strict || pieces.size() > 2);
}

type_answer character_reverse(type_input const& in) {
    return contains(in.forms.lower(), "elgae dlab") && (!in.strict || !contains(in.forms.lower(), "bald eagle"));
}

type_answer sentence_alphabet(type_input const& in) {
    if (in.sentence_count() != 26) {
        return {false, std::int64_t(in.sentence_count())};
    }
    for (std::size_t k = 0; k < 26; ++k) {
        std::string const first = lowered(first_point(in.sentence(k)));
        if (!first.starts_with(char('a' + k))) {
            return {false, std::int64_t(k)};
        }
    }
    return {in.full_sentences(26), 26};
}

type_answer european_capitals(type_input const& in) {
    static constexpr std::string_view order[] = {
        "Reykjavik",  "Helsinki", "Oslo",     "Tallinn",    "Stockholm", "Riga",      "Moscow",
        "Copenhagen", "Vilnius",  "Minsk",    "Dublin",     "Berlin",    "Amsterdam", "Warsaw",
        "London",     "Brussels", "Prague",   "Luxembourg", "Paris",     "Vienna",    "Bratislava",
        "Budapest",   "Vaduz",    "Chisinau", "Bern",       "Ljubljana", "Zagreb"};
    bool const ascii = in.text.counts.characters == in.text.counts.bytes;
    std::string const plain = ascii ? std::string() : ascii_form(in.raw());
    std::string_view const text = ascii ? in.raw() : plain;
    if (std::size_t(std::count(text.begin(), text.end(), ',')) + 1 < std::size(order)) {
        return false;
    }
    std::size_t count = 0;
    for (std::string_view const part : split_at(text, ",")) {
        if (is_blank(part)) {
            continue;
        }
        if (count == std::size(order) || trimmed(part) != order[count]) {
            return {false, std::int64_t(count)};
        }
        ++count;
    }
    return {count == std::size(order), std::int64_t(count)};
}

type_answer csv_city(type_input const& in) {
    if (!in.raw().starts_with('I') && !in.raw().starts_with('"')) {
        return false;  // no first field is ID
    }
    csv_rows const table = read_csv(in.raw(), ',');
    std::vector<std::string> const header = {"ID", "Country", "City", "Year", "Count"};
    if (!table.valid || table.rows.size() != 8 || table.rows[0] != header) {
        return {false, std::int64_t(table.rows.size())};
    }
    bool const all = std::all_of(table.rows.begin(), table.rows.end(), [](auto const& row) { return row.size() == 5; });
    return {all, std::int64_t(table.rows.size())};
}

/// Whether a line is a header: each name plain or in quotes, separated by the delimiter and blanks (tabs, too, where
/// `tabs`).
bool is_header(std::string_view line, std::span<std::string_view const> names, char delimiter,
               std::string_view blanks) {
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (k > 0) {
            if (line.empty() || line[0] != delimiter) {
                return false;
            }
            line.remove_prefix(1);
            line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        }
        bool const quoted = line.starts_with('"');
        line.remove_prefix(quoted);
        if (!line.starts_with(names[k])) {
            return false;
        }
        line.remove_prefix(names[k].size());
        if (quoted) {
            if (!line.starts_with('"')) {
                return false;
            }
            line.remove_prefix(1);
        }
    }
    return line.empty();
}

/// Whether a field begins with ".*[^\d\w\s].*".
bool has_special(std::string_view field) {
    field = field.substr(0, field.find('\n'));
    std::size_t const last = field.rfind('"');
    if (!field.starts_with('"') || last == std::string_view::npos || last < 2) {
        return false;
    }
    for (std::size_t at = 1; at < last; at += decode(field, at).size) {
        if (word_size(field, at) == 0 && space_size(field, at) == 0) {
            return true;
        }
    }
    return false;
}

type_answer csv_special(type_input const& in) {
    static constexpr std::string_view names[] = {"ProductID", "Category", "Brand", "Price", "Stock"};
    std::string_view const text = in.raw();
    if (!is_header(trimmed(text.substr(0, text.find('\n'))), names, ',', " \t")) {
        return false;
    }
    csv_rows const table = read_csv(replaced(text, "\"", "\"\"\""), ',');
    if (!table.valid || table.rows.size() != 15) {
        return {false, std::int64_t(table.rows.size())};
    }
    bool special = false;
    for (std::size_t k = 1; k < table.rows.size(); ++k) {
        if (table.rows[k].size() != 5) {
            return {false, std::int64_t(k)};
        }
        special = special || std::any_of(table.rows[k].begin(), table.rows[k].end(),
                                         [](auto const& field) { return has_special(field); });
        if (special && !in.strict) {
            return true;  // the published loop examines no further row
        }
    }
    return special;
}

type_answer csv_quotes(type_input const& in) {
    static constexpr std::string_view names[] = {"StudentID", "Subject", "Grade", "Semester", "Score"};
    std::string_view const text = in.raw();
    if (!is_header(trimmed(text.substr(0, text.find('\n'))), names, '\t', " ")) {
        return false;
    }
    csv_rows const table = read_csv(replaced(text, "\"", "\"\"\""), '\t');
    if (!table.valid || table.rows.size() != 4) {
        return {false, std::int64_t(table.rows.size())};
    }
    return std::all_of(table.rows.begin(), table.rows.end(), [&](auto const& row) {
        return row.size() == 5 && std::all_of(row.begin(), row.end(), [&](std::string const& field) {
                   std::string_view const bare = trimmed(field);
                   return bare.starts_with('"') && bare.ends_with('"') && (!in.strict || bare.size() > 2);
               });
    });
}

type_answer date_format_list(type_input const& in) {
    static constexpr int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    std::int64_t count = 0;
    for (std::string_view const part : split_at(in.forms.stripped(), ",")) {
        std::string_view const date = trimmed(part);
        auto const digits = [&](std::size_t at, std::size_t size) {
            int value = 0;
            for (std::size_t k = at; k < at + size; ++k) {
                value = value < 0 || !is_digit_byte(date[k]) ? -1 : value * 10 + (date[k] - '0');
            }
            return value;
        };
        if (date.size() != 10 || date[4] != '-' || date[7] != '-') {
            return {false, count};
        }
        int const year = digits(0, 4);
        int const month = digits(5, 2);
        int const day = digits(8, 2);
        // The published rule accepts month 0 and day 0, and any day with month 0.
        bool const good = year >= 1769 && year <= 1821 && month >= 0 && month <= 12 && day >= 0 &&
                          (month == 0 || day <= days[month - 1]) && (!in.strict || (month > 0 && day > 0));
        if (!good) {
            return {false, count};
        }
        ++count;
    }
    return {!in.strict || count >= 2, count};
}

}  // namespace ifbench_custom

std::span<instruction_type const> ifbench_custom_types() {
    using namespace ifbench_custom;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"custom:multiples", 'Q', {}, multiples, "its runs of digits are 14 21 28 35 42 49", same},
        {"custom:mcq_count_length",
         'Q',
         {},
         multiple_choice,
         "begins with Question; four questions behind \"Question\" and a number, each with five choices a-e, their "
         "texts rising in "
         "length",
         same},
        {"custom:reverse_newline",
         'Q',
         {},
         reverse_newline,
         "from the line with Zimbabwe on, 52 lines or more in falling order, as ASCII without accents",
         same},
        {"custom:word_reverse",
         'Q',
         {},
         word_reverse,
         "lower-cased, punctuation deleted and pieces reversed, it is one sentence and holds bald eagle",
         "three pieces"},
        {"custom:character_reverse",
         'Q',
         {},
         character_reverse,
         "the lower-cased text holds elgae dlab",
         "and not bald eagle"},
        {"custom:sentence_alphabet",
         'Q',
         {},
         sentence_alphabet,
         "26 sentences that begin with a to z, case aside",
         "each of two words"},
        {"custom:european_capitals_sort",
         'Q',
         {},
         european_capitals,
         "the 27 capitals in order, parted by commas, as ASCII without accents",
         same},
        {"custom:csv_city",
         'Q',
         {},
         csv_city,
         "CSV of eight rows; the header is ID, Country, City, Year, Count; five columns each",
         same},
        {"custom:csv_special_character",
         'Q',
         {},
         csv_special,
         "CSV of fifteen rows with its header; rows have five columns up to the first that has a quoted field with a "
         "special "
         "character, and one has",
         "all rows have five columns"},
        {"custom:csv_quotes",
         'Q',
         {},
         csv_quotes,
         "four rows by tabs with their header, five columns each, every field between quotes",
         "no field is empty"},
        {"custom:date_format_list",
         'Q',
         {},
         date_format_list,
         "parted by commas, dates YYYY-MM-DD of 1769 to 1821; months up to 12, days up to the month's",
         "two dates; no month or day is 0"},
    };
    return types;
}

}  // namespace optgap::rubrics
