// Log spec: reads what a log point prints, where, and of which lanes.
// SPDX-License-Identifier: MIT
#include "app/debug/log/log_spec.hpp"

#include <algorithm>
#include <charconv>

namespace valkyr::debug {

namespace {

constexpr std::string_view kBlanks = " \t";

/// Walks through the text of a specification.
class SpecReader {
public:
    explicit SpecReader(std::string_view text)
        : text_(text) {}

    Result<LogSpec> read();

private:
    Result<void> read_filter(LogSpec& spec);
    Result<std::string> read_value();
    Result<void> read_condition(LogSpec& spec);
    Result<void> read_text(LogSpec& spec);
    Result<void> read_pieces(LogSpec& spec, size_t end);
    Result<LogPiece> read_braces(size_t end);

    void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }
    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
    [[nodiscard]] Error error(size_t at, std::string text) const {
        return {Errc::Syntax, {0, static_cast<uint32_t>(at + 1)}, std::move(text)};
    }
    /// An error of another reader, at a place of this text.
    [[nodiscard]] Error placed(size_t at, Error error) const {
        error.pos = {0, static_cast<uint32_t>(at + 1)};
        return error;
    }

    std::string_view text_;
    size_t at_ = 0;
    bool has_place_ = false;
};

std::optional<uint64_t> whole_number(std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

Result<void> read_numbers(std::string_view text, NumberFilter& filter) {
    filter.ranges.clear();
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const size_t hyphen = part.find('-');
        const auto first = whole_number(part.substr(0, hyphen));
        const auto last = hyphen == std::string_view::npos
                              ? first
                              : whole_number(part.substr(std::min(hyphen + 1, part.size())));
        if (!first || !last || *first > *last)
            return Error{Errc::Syntax,
                         {},
                         "'" + std::string(text) + "' is no list of numbers like 3 or 1,4-6"};
        filter.ranges.emplace_back(*first, *last);
        begin = end + 1;
    }
    return {};
}

std::optional<std::pair<int32_t, int32_t>> pixel_of(std::string_view text) {
    const size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        return std::nullopt;
    const auto x = whole_number(text.substr(0, comma));
    const auto y = whole_number(text.substr(comma + 1));
    constexpr uint64_t kMost = 65535;
    if (!x || !y || *x > kMost || *y > kMost)
        return std::nullopt;
    return std::pair{static_cast<int32_t>(*x), static_cast<int32_t>(*y)};
}

Result<void> read_pixels(std::string_view text, LogSpec& spec) {
    const size_t hyphen = text.find('-');
    const auto first = pixel_of(text.substr(0, hyphen));
    const auto last = hyphen == std::string_view::npos ? first : pixel_of(text.substr(hyphen + 1));
    if (!first || !last || first->first > last->first || first->second > last->second)
        return Error{
            Errc::Syntax, {}, "'" + std::string(text) + "' is neither X,Y nor X0,Y0-X1,Y1"};
    spec.pixels = PixelFilter{*first, *last};
    return {};
}

Result<void> read_stage(std::string_view text, LogSpec& spec) {
    static constexpr std::pair<std::string_view, LaneStage> kStages[] = {
        {"vertex", LaneStage::Vertex},         {"control", LaneStage::Control},
        {"evaluation", LaneStage::Evaluation}, {"geometry", LaneStage::Geometry},
        {"fragment", LaneStage::Fragment},     {"compute", LaneStage::Compute},
    };
    for (const auto& [name, stage] : kStages) {
        if (name == text) {
            spec.stage = stage;
            return {};
        }
    }
    return Error{Errc::Syntax,
                 {},
                 "'" + std::string(text) +
                     "' is no stage: expected vertex, control, evaluation, geometry, fragment, "
                     "compute"};
}

Result<void> read_place(std::string_view text, bool on_line, LogSpec& spec) {
    const auto number = whole_number(text);
    if (!number || *number > UINT32_MAX || (on_line && *number == 0))
        return Error{Errc::Syntax,
                     {},
                     "'" + std::string(text) + "' is no number of a " +
                         (on_line ? "line" : "word")};
    spec.on_line = on_line;
    spec.place = static_cast<uint32_t>(*number);
    return {};
}

/// A filter, and what reads its value.
struct FilterName {
    std::string_view name;
    NumberFilter LogSpec::*numbers;  ///< null: `read` reads it
    Result<void> (*read)(std::string_view value, LogSpec& spec);
};
constexpr FilterName kFilters[] = {
    {"draw", &LogSpec::draws, nullptr},
    {"dispatch", &LogSpec::dispatches, nullptr},
    {"frame", &LogSpec::frames, nullptr},
    {"vertex", &LogSpec::vertices, nullptr},
    {"primitive", &LogSpec::primitives, nullptr},
    {"patch", &LogSpec::patches, nullptr},
    {"invocation", &LogSpec::invocations, nullptr},
    {"pixel", nullptr, read_pixels},
    {"stage", nullptr, read_stage},
    {"shader", nullptr,
     [](std::string_view value, LogSpec& spec) -> Result<void> {
         spec.shader = value;
         return {};
     }},
    {"line", nullptr,
     [](std::string_view value, LogSpec& spec) { return read_place(value, true, spec); }},
    {"word", nullptr,
     [](std::string_view value, LogSpec& spec) { return read_place(value, false, spec); }},
};

std::string filter_names() {
    std::string names;
    for (const FilterName& filter : kFilters)
        names += std::string(filter.name) + "=, ";
    return names;
}

struct PieceName {
    std::string_view name;
    LogPiece::Kind kind;
};
constexpr PieceName kPieces[] = {
    {"pixel", LogPiece::Kind::Pixel},           {"vertex", LogPiece::Kind::Vertex},
    {"instance", LogPiece::Kind::Instance},     {"primitive", LogPiece::Kind::Primitive},
    {"patch", LogPiece::Kind::Patch},           {"lane", LogPiece::Kind::Lane},
    {"invocation", LogPiece::Kind::Invocation}, {"draw", LogPiece::Kind::Draw},
    {"frame", LogPiece::Kind::Frame},           {"line", LogPiece::Kind::Line},
};

Result<LogSpec> SpecReader::read() {
    LogSpec spec;
    spec.source = text_;
    for (skip_blanks(); at_ < text_.size() && text_[at_] != ':'; skip_blanks()) {
        if (rest().starts_with("if ")) {
            VALKYR_TRY_VOID(read_condition(spec));
            break;
        }
        VALKYR_TRY_VOID(read_filter(spec));
    }
    if (!has_place_)
        return error(at_, "a log point needs line=N or word=N");
    VALKYR_TRY_VOID(read_text(spec));
    return spec;
}

Result<void> SpecReader::read_filter(LogSpec& spec) {
    const size_t begin = at_;
    const size_t end = std::min(text_.find_first_of("=: \t", at_), text_.size());
    const std::string_view name = text_.substr(begin, end - begin);
    const auto* found = std::ranges::find(kFilters, name, &FilterName::name);
    if (found == std::end(kFilters) || end == text_.size() || text_[end] != '=')
        return error(begin, "expected " + filter_names() + "'if CONDITION' or ': \"TEXT\"', not '" +
                                std::string(name) + "'");
    at_ = end + 1;
    const size_t value_at = at_;
    VALKYR_TRY(value, read_value());
    const auto done = found->numbers != nullptr ? read_numbers(value, spec.*found->numbers)
                                                : found->read(value, spec);
    if (!done.has_value())
        return placed(value_at, done.error());
    if (name != "line" && name != "word")
        return {};
    if (has_place_)
        return error(begin, "a log point has one line or word");
    has_place_ = true;
    return {};
}

/// A word, or what stands between quotes.
Result<std::string> SpecReader::read_value() {
    const size_t begin = at_;
    if (rest().starts_with('"')) {
        const size_t end = text_.find('"', begin + 1);
        if (end == std::string_view::npos)
            return error(begin, "the quotes do not end");
        at_ = end + 1;
        return std::string(text_.substr(begin + 1, end - begin - 1));
    }
    at_ = std::min(text_.find_first_of(": \t", at_), text_.size());
    if (at_ == begin)
        return error(begin, "expected a value");
    return std::string(text_.substr(begin, at_ - begin));
}

Result<void> SpecReader::read_condition(LogSpec& spec) {
    at_ += 3;
    skip_blanks();
    const size_t end = std::min(text_.find(':', at_), text_.size());
    auto condition = parse_condition(text_.substr(at_, end - at_));
    if (!condition.has_value())
        return placed(at_, condition.error());
    spec.condition = *std::move(condition);
    at_ = end;
    return {};
}

/// The text, with or without quotes around it.
Result<void> SpecReader::read_text(LogSpec& spec) {
    if (!rest().starts_with(':'))
        return error(at_, "expected ': \"TEXT\"'");
    ++at_;
    skip_blanks();
    size_t end = text_.find_last_not_of(" \t") + 1;
    if (rest().starts_with('"')) {
        ++at_;
        if (end <= at_ || text_[end - 1] != '"')
            return error(at_ - 1, "the quotes do not end");
        --end;
    }
    return read_pieces(spec, std::max(end, at_));
}

/// "{{" and "}}" are braces.
Result<void> SpecReader::read_pieces(LogSpec& spec, size_t end) {
    std::string plain;
    while (at_ < end) {
        const char c = text_[at_];
        if ((c == '{' || c == '}') && at_ + 1 < end && text_[at_ + 1] == c) {
            plain += c;
            at_ += 2;
        } else if (c == '{') {
            if (!plain.empty())
                spec.pieces.push_back({LogPiece::Kind::Text, std::move(plain), {}, {}});
            plain.clear();
            VALKYR_TRY(piece, read_braces(end));
            spec.pieces.push_back(std::move(piece));
        } else {
            plain += c;
            ++at_;
        }
    }
    if (!plain.empty())
        spec.pieces.push_back({LogPiece::Kind::Text, std::move(plain), {}, {}});
    return {};
}

Result<LogPiece> SpecReader::read_braces(size_t end) {
    const size_t begin = at_ + 1;
    const size_t close = text_.find('}', begin);
    if (close >= end)
        return error(at_, "the brace does not end; {{ is a brace of the text");
    at_ = close + 1;
    const std::string_view inside = text_.substr(begin, close - begin);
    LogPiece piece;
    if (const auto* found = std::ranges::find(kPieces, inside, &PieceName::name);
        found != std::end(kPieces)) {
        piece.kind = found->kind;
        return piece;
    }
    auto request = parse_named_format(inside);
    if (request && request->all)
        request = Error{Errc::Syntax, {}, "format 'a': expected f, d or x"};
    if (!request.has_value())
        return placed(begin, request.error());
    auto watch = parse_name(request->name);
    if (!watch.has_value()) {
        std::string text = watch.error().text;
        for (const PieceName& name : kPieces)
            text += ", " + std::string(name.name);
        return placed(begin, {watch.error().code, {}, std::move(text)});
    }
    piece.kind = LogPiece::Kind::Value;
    piece.watch = *std::move(watch);
    piece.format = request->format;
    return piece;
}

}  // namespace

bool NumberFilter::has(uint64_t number) const {
    return !is_set() || std::ranges::any_of(ranges, [number](const auto& range) {
        return number >= range.first && number <= range.second;
    });
}

Result<LogSpec> LogSpec::parse(std::string_view text) {
    return SpecReader(text).read();
}

bool LogSpec::allows_work(bool is_draw, uint64_t number, uint64_t frame) const {
    const NumberFilter& own = is_draw ? draws : dispatches;
    const NumberFilter& other = is_draw ? dispatches : draws;
    return frames.has(frame) && own.has(number) && (own.is_set() || !other.is_set());
}

bool LogSpec::allows_lane(const CallLane& lane) const {
    if (pixels &&
        (!lane.pixel || lane.pixel->first < pixels->first.first ||
         lane.pixel->first > pixels->last.first || lane.pixel->second < pixels->first.second ||
         lane.pixel->second > pixels->last.second))
        return false;
    return vertices.has(lane.vertex) && primitives.has(lane.primitive) && patches.has(lane.patch) &&
           invocations.has(lane.invocation);
}

std::vector<const Watch*> LogSpec::watches() const {
    std::vector<const Watch*> all;
    if (condition)
        all.push_back(&condition->watch);
    for (const LogPiece& piece : pieces)
        if (piece.kind == LogPiece::Kind::Value)
            all.push_back(&piece.watch);
    return all;
}

}  // namespace valkyr::debug
