// Parser: reads DCL statements.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"
#include "tgsi/text/parser_p.hpp"

namespace valkyr::tgsi {

bool Parser::range(uint32_t& first, uint32_t& last) {
    if (!expect('[', "before the register range") ||
        !number(first, kMaxRegisterIndex, "register index"))
        return false;
    last = first;
    if (scan_.accept_range()) {
        const SourcePos pos = scan_.pos();
        if (!number(last, kMaxRegisterIndex, "register index"))
            return false;
        if (last < first)
            return fail(Errc::OutOfRange, pos, "register range ends before it starts");
    }
    return expect(']', "after the register range");
}

bool Parser::dimensions(Declaration& decl) {
    const SourcePos pos = scan_.pos();
    Scanner ahead = scan_;
    if (ahead.accept('[') && ahead.accept(']')) {
        scan_ = ahead;
        decl.per_vertex = true;
        return range(decl.first, decl.last);
    }
    if (!range(decl.first, decl.last))
        return false;
    scan_.skip_space();
    if (scan_.peek() != '[')
        return true;
    if (decl.first != decl.last)
        return fail(Errc::Syntax, pos, "the first of two dimensions is one index, not a range");
    decl.has_outer = true;
    decl.outer = decl.first;
    return range(decl.first, decl.last);
}

bool Parser::array_item(Declaration& decl) {
    const SourcePos pos = scan_.pos();
    if (!expect('(', "after ARRAY") || !number(decl.array_id, kMaxArrayId, "array id") ||
        !expect(')', "after the array id"))
        return false;
    return decl.array_id != 0 || fail(Errc::OutOfRange, pos, "array id 0 means no array");
}

bool Parser::stream_item(Declaration& decl) {
    if (!expect('(', "after STREAM"))
        return false;
    for (unsigned c = 0; c < 4; ++c) {
        uint32_t stream = 0;
        if ((c != 0 && !expect(',', "between stream numbers")) ||
            !number(stream, kMaxStream, "stream"))
            return false;
        decl.streams[c] = static_cast<uint8_t>(stream);
    }
    decl.has_streams = true;
    return expect(')', "after the stream numbers");
}

bool Parser::semantic_item(Declaration& decl, Semantic semantic) {
    decl.has_semantic = true;
    decl.semantic = semantic;
    if (!scan_.accept('['))
        return true;
    return number(decl.semantic_index, kMaxSemanticIndex, "semantic index") &&
           expect(']', "after the semantic index");
}

bool Parser::register_item(Declaration& decl, std::string_view word, SourcePos pos) {
    // COLOR is a semantic first and an interpolation behind one.
    if (!decl.has_semantic && !decl.has_interpolation)
        if (const auto semantic = find_keyword<Semantic>(word))
            return semantic_item(decl, *semantic);
    if (!decl.has_interpolation)
        if (const auto interpolation = find_keyword<Interpolation>(word)) {
            decl.has_interpolation = true;
            decl.interpolation = *interpolation;
            return true;
        }
    if (const auto location = find_keyword<Location>(word)) {
        decl.location = *location;
        return true;
    }
    return fail(Errc::Syntax, pos,
                word.empty() ? "expected a semantic, interpolation or flag"
                             : "unexpected " + quoted(word) + " in a declaration of " +
                                   std::string(name_of(decl.file)));
}

bool Parser::return_types(Declaration& decl, ReturnType first) {
    decl.return_types.fill(first);
    decl.return_type_count = 1;
    for (unsigned c = 1; c < 4; ++c) {
        if (!scan_.accept(','))
            return c == 1 || fail_here("expected one or four return types");
        scan_.skip_space();
        const SourcePos pos = scan_.pos();
        const auto type = find_keyword<ReturnType>(scan_.word());
        if (!type)
            return fail(Errc::Syntax, pos, "expected UNORM, SNORM, SINT, UINT or FLOAT");
        decl.return_types[c] = *type;
    }
    decl.return_type_count = 4;
    return true;
}

bool Parser::resource_item(Declaration& decl, std::string_view word, SourcePos pos) {
    if (!decl.has_target) {
        const auto target = find_keyword<Target>(word);
        if (!target)
            return fail(Errc::Syntax, pos, "expected a texture target");
        decl.has_target = true;
        decl.target = *target;
        return true;
    }
    if (decl.file == File::SamplerView) {
        const auto type = find_keyword<ReturnType>(word);
        if (!type || decl.return_type_count != 0)
            return fail(Errc::Syntax, pos, "expected UNORM, SNORM, SINT, UINT or FLOAT");
        return return_types(decl, *type);
    }
    if (decl.format.empty()) {
        const std::string_view format = format_name(word);
        if (format.empty())
            return fail(Errc::Syntax, pos, "expected a format PIPE_FORMAT_...");
        decl.format.resize(format.size());
        for (size_t i = 0; i < format.size(); ++i)
            decl.format[i] = upper(format[i]);
        return true;
    }
    if (same_word(word, "WR"))
        decl.writable = true;
    else if (same_word(word, "RAW"))
        decl.raw = true;
    else
        return fail(Errc::Syntax, pos, "expected WR or RAW");
    return true;
}

bool Parser::declaration_item(Declaration& decl) {
    scan_.skip_space();
    const SourcePos pos = scan_.pos();
    const std::string_view word = scan_.word();
    if (same_word(word, "ARRAY"))
        return array_item(decl);
    if (same_word(word, "STREAM"))
        return stream_item(decl);
    if (same_word(word, "LOCAL"))
        return decl.local = true;
    if (same_word(word, "INVARIANT"))
        return decl.invariant = true;
    switch (decl.file) {
    case File::SamplerView:
    case File::Image: return resource_item(decl, word, pos);
    case File::Buffer:
        decl.atomic = same_word(word, "ATOMIC");
        return decl.atomic || fail(Errc::Syntax, pos, "expected ATOMIC");
    case File::Memory: {
        const auto kind = find_keyword<MemoryKind>(word);
        if (!kind)
            return fail(Errc::Syntax, pos, "expected GLOBAL, SHARED, PRIVATE or INPUT");
        decl.has_memory_kind = true;
        decl.memory_kind = *kind;
        return true;
    }
    default: return register_item(decl, word, pos);
    }
}

bool Parser::declaration() {
    Declaration decl;
    if (!room_for(result_.shader.declarations.size(), limits_.declarations, "declarations"))
        return false;
    scan_.skip_space();
    decl.pos = scan_.pos();
    const auto found = file(scan_.word(), decl.pos);
    if (!found)
        return false;
    decl.file = *found;
    scan_.skip_space();
    if (!dimensions(decl) || !write_mask(decl.usage_mask))
        return false;
    while (scan_.accept(','))
        if (!declaration_item(decl))
            return false;
    const bool complete = decl.file == File::Image         ? !decl.format.empty()
                          : decl.file == File::SamplerView ? decl.return_type_count != 0
                                                           : true;
    if (!complete)
        return fail_here(decl.file == File::Image ? "expected a target and a format"
                                                  : "expected a target and a return type");
    registers_ += decl.last - decl.first + 1;
    if (registers_ > limits_.registers) {
        stop_ = true;
        return fail(Errc::OutOfRange, decl.pos,
                    "more than " + std::to_string(limits_.registers) + " registers");
    }
    result_.shader.declarations.push_back(std::move(decl));
    done(StatementKind::Declaration);
    return true;
}

}  // namespace valkyr::tgsi
