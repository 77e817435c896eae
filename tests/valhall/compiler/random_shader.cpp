// Random shader: generates TGSI shaders with a defined result, line by line.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/random_shader.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace valkyr::test {
namespace {

struct RandomOp {
    std::string_view name;
    unsigned sources;
    bool is_float;
};

constexpr RandomOp kOps[] = {
    {"MOV", 1, true},   {"ADD", 2, true},   {"MUL", 2, true},   {"MAD", 3, true},
    {"MIN", 2, true},   {"MAX", 2, true},   {"DP3", 2, true},   {"DP4", 2, true},
    {"CMP", 3, true},   {"LRP", 3, true},   {"FLR", 1, true},   {"FRC", 1, true},
    {"SLT", 2, true},   {"SGE", 2, true},   {"FSLT", 2, true},  {"FSEQ", 2, true},
    {"SSG", 1, true},   {"RCP", 1, true},   {"TRUNC", 1, true}, {"ROUND", 1, true},
    {"F2I", 1, true},   {"I2F", 1, false},  {"U2F", 1, false},  {"UADD", 2, false},
    {"UMUL", 2, false}, {"UMAD", 3, false}, {"AND", 2, false},  {"OR", 2, false},
    {"XOR", 2, false},  {"NOT", 1, false},  {"SHL", 2, false},  {"USHR", 2, false},
    {"ISHR", 2, false}, {"IMIN", 2, false}, {"UMAX", 2, false}, {"USEQ", 2, false},
    {"ISLT", 2, false}, {"UCMP", 3, false}, {"INEG", 1, false}, {"UMUL_HI", 2, false},
    {"UBFE", 3, false}, {"LSB", 1, false},  {"UDIV", 2, false}, {"MOD", 2, false},
};

/// Packing opcodes, and opcodes that replicate a single result.
constexpr RandomOp kMoreOps[] = {
    {"FSGE", 2, true},   {"FSNE", 2, true},   {"SEQ", 2, true},   {"SNE", 2, true},
    {"SGT", 2, true},    {"SLE", 2, true},    {"CEIL", 1, true},  {"DP2", 2, true},
    {"DST", 2, true},    {"FMA", 3, true},    {"F2U", 1, true},   {"ARL", 1, true},
    {"PK2H", 1, true},   {"PK2US", 1, true},  {"PK4B", 1, true},  {"PK4UB", 1, true},
    {"UP2H", 1, false},  {"UP2US", 1, false}, {"UP4B", 1, false}, {"UP4UB", 1, false},
    {"LDEXP", 2, false}, {"IMAX", 2, false},  {"UMIN", 2, false}, {"USNE", 2, false},
    {"USLT", 2, false},  {"USGE", 2, false},  {"ISGE", 2, false}, {"IABS", 1, false},
    {"ISSG", 1, false},  {"IBFE", 3, false},  {"BFI", 4, false},  {"BREV", 1, false},
    {"POPC", 1, false},  {"UMSB", 1, false},  {"IMSB", 1, false}, {"IMUL_HI", 2, false},
    {"IDIV", 2, false},  {"UMOD", 2, false},  {"UARL", 1, false},
};

/// An opcode on 64-bit operands, which are pairs of components in masks and swizzles.
struct WideOp {
    std::string_view name;
    char destination;          ///< W: pairs, C: a comparison in x and z, N: numbers in x and y
    std::string_view sources;  ///< W: pairs, n: components
    bool is_float;
};

constexpr WideOp kWideOps[] = {
    {"U64ADD", 'W', "WW", false}, {"U64MUL", 'W', "WW", false}, {"I64NEG", 'W', "W", false},
    {"I64ABS", 'W', "W", false},  {"I64SSG", 'W', "W", false},  {"U64MIN", 'W', "WW", false},
    {"I64MAX", 'W', "WW", false}, {"U64SHL", 'W', "Wn", false}, {"U64SHR", 'W', "Wn", false},
    {"I64SHR", 'W', "Wn", false}, {"U64SEQ", 'C', "WW", false}, {"U64SLT", 'C', "WW", false},
    {"I64SGE", 'C', "WW", false}, {"U64DIV", 'W', "WW", false}, {"I64MOD", 'W', "WW", false},
    {"I2I64", 'W', "n", false},   {"F2I64", 'W', "n", true},    {"U642F", 'N', "W", false},
    {"DADD", 'W', "WW", true},    {"DMUL", 'W', "WW", true},    {"DDIV", 'W', "WW", true},
    {"DMAD", 'W', "WWW", true},   {"DFMA", 'W', "WWW", true},   {"DMIN", 'W', "WW", true},
    {"DMAX", 'W', "WW", true},    {"DSQRT", 'W', "W", true},    {"DFLR", 'W', "W", true},
    {"DROUND", 'W', "W", true},   {"DSLT", 'C', "WW", true},    {"DSEQ", 'C', "WW", true},
    {"F2D", 'W', "n", true},      {"I2D", 'W', "n", false},     {"U642D", 'W', "W", false},
    {"D2F", 'N', "W", true},      {"D2I", 'N', "W", true},      {"D2U64", 'W', "W", true},
};

constexpr RandomOp kLaneOps[] = {
    {"DDX", 1, true},       {"DDY", 1, true},         {"DDX_FINE", 1, true},
    {"VOTE_ANY", 1, false}, {"VOTE_ALL", 1, false},   {"VOTE_EQ", 1, false},
    {"BALLOT", 1, false},   {"READ_FIRST", 1, false}, {"READ_INVOC", 2, false},
};

constexpr std::string_view kAtomics[] = {"ATOMUADD", "ATOMXCHG", "ATOMAND",     "ATOMOR",
                                         "ATOMUMIN", "ATOMIMAX", "ATOMINC_WRAP"};

class Generator {
public:
    Generator(std::mt19937& random, const RandomShaderOptions& options)
        : random_(random)
        , options_(options) {}

    std::string run() {
        header();
        for (unsigned i = 0; i < options_.temporaries; ++i)
            line("MOV TEMP[" + number(i) + "], " + input(i % 4));
        if (options_.indirect) {
            for (unsigned i = 0; i < kArray; ++i)
                line("MOV TEMP[" + number(array_first() + i) + "], " + input(i % 4));
            if (options_.geometry)
                set_address();  // it indexes inputs
        }
        block(options_.instructions, 0);
        line("MOV OUT[0], TEMP[0]");
        line("MOV OUT[1], TEMP[1]");
        if (options_.geometry)
            emit();
        line("END");
        for (unsigned i = 0; options_.subroutines && i < kSubroutines; ++i)
            subroutine(i);
        place_labels();
        return std::move(text_);
    }

private:
    /// Input primitives by their names and numbers of vertices.
    static constexpr std::pair<std::string_view, unsigned> kPrimitives[] = {
        {"TRIANGLES_ADJACENCY", 6}, {"POINTS", 1},    {"LINES", 2},
        {"LINES_ADJACENCY", 4},     {"TRIANGLES", 3},
    };
    static constexpr unsigned kArray = 5;
    static constexpr unsigned kMaxDepth = 4;
    static constexpr unsigned kSubroutines = 2;

    [[nodiscard]] unsigned array_first() const { return options_.temporaries + kMaxDepth; }
    unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
    static std::string number(unsigned n) { return std::to_string(n); }

    void fragment_header() {
        text_ = "FRAG\n";
        for (unsigned i = 0; i < 4; ++i)
            text_ += "DCL IN[" + number(i) + "], GENERIC[" + number(i) + "], PERSPECTIVE\n";
        text_ += "DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n";
    }

    /// Address registers reach six vertices.
    void geometry_header() {
        static constexpr std::string_view kOutputs[] = {"POINTS", "LINE_STRIP", "TRIANGLE_STRIP"};
        const auto& primitive = kPrimitives[options_.indirect ? 0 : pick(std::size(kPrimitives))];
        vertices_ = primitive.second;
        const unsigned output = pick(std::size(kOutputs));
        has_streams_ = output == 0;
        text_ = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE " + std::string(primitive.first) +
                "\nPROPERTY GS_OUTPUT_PRIMITIVE " + std::string(kOutputs[output]) +
                "\nPROPERTY GS_MAX_OUTPUT_VERTICES " + number(pick(12) + 1) +
                "\nPROPERTY GS_INVOCATIONS " + number(pick(3) + 1) + "\n";
        text_ += "DCL IN[][0], POSITION\n";
        for (unsigned i = 1; i < 4; ++i)
            text_ += "DCL IN[][" + number(i) + "], GENERIC[" + number(3 * i) + "]\n";
        text_ += "DCL SV[0], INVOCATIONID\n"
                 "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[7]\n";
    }

    void header() {
        if (options_.geometry)
            geometry_header();
        else
            fragment_header();
        text_ += "DCL CONST[0..7]\n";
        // The registers behind the temporaries count iterations of loops.
        text_ += "DCL TEMP[0.." + number(options_.temporaries + kMaxDepth - 1) + "]\n";
        if (options_.indirect)
            text_ += "DCL TEMP[" + number(array_first()) + ".." +
                     number(array_first() + kArray - 1) + "], ARRAY(1), LOCAL\nDCL ADDR[0]\n";
        text_ += "IMM[0] UINT32 {0, 1, 4294967295, 31}\n"
                 "IMM[1] UINT32 {1065353216, 1056964608, 3212836864, 1036831949}\n"
                 "IMM[2] UINT32 {3, 5, 7, 2147483648}\n"
                 "IMM[3] UINT32 {2, 0, 0, 0}\n";
        if (options_.memory)
            text_ += "DCL BUFFER[0..1]\n";
        if (options_.textures)
            text_ += "DCL SAMP[0..1]\n";
    }

    void line(const std::string& text) { text_ += number(count_++) + ": " + text + "\n"; }

    std::string mask() {
        const unsigned bits = pick(15) + 1;
        if (bits == 15)
            return "";
        std::string text = ".";
        for (unsigned c = 0; c < 4; ++c)
            if ((bits >> c & 1) != 0)
                text += "xyzw"[c];
        return text;
    }

    std::string swizzle() {
        std::string text = ".";
        for (unsigned c = 0; c < 4; ++c)
            text += "xyzw"[pick(4)];
        return text;
    }

    std::string input(unsigned index) {
        if (!options_.geometry)
            return "IN[" + number(index) + "]";
        const bool computed = options_.indirect && has_address_ && pick(2) == 0;
        return "IN[" + (computed ? "ADDR[0].x" : number(pick(vertices_))) + "][" + number(index) +
               "]";
    }

    /// `modifiers`: 0 none, 1 negation, 2 also absolute value.
    std::string source(unsigned modifiers) {
        std::string text;
        switch (pick(options_.indirect ? 7 : 6)) {
        case 0: text = input(pick(4)); break;
        case 1:
            text = options_.geometry && pick(2) == 0 ? "SV[0]" : "CONST[" + number(pick(8)) + "]";
            break;
        case 2: text = "IMM[" + number(pick(3)) + "]"; break;
        case 6: text = "TEMP[ADDR[0].x+" + number(array_first()) + "](1)"; break;
        default: text = "TEMP[" + number(pick(options_.temporaries)) + "]"; break;
        }
        text += swizzle();
        if (modifiers > 1 && pick(6) == 0)
            text = "|" + text + "|";
        if (modifiers > 0 && pick(4) == 0)
            text = "-" + text;
        return text;
    }

    std::string destination() {
        if (options_.indirect && pick(5) == 0)
            return "TEMP[ADDR[0].x+" + number(array_first()) + "](1)" + mask();
        return "TEMP[" + number(pick(options_.temporaries)) + "]" + mask();
    }

    template <size_t N>
    std::string one_of(const std::string_view (&list)[N]) {
        return std::string(list[pick(N)]);
    }

    std::string wide_source(bool is_float) {
        static constexpr std::string_view kPairs[] = {"", ".xyxy", ".zwzw", ".zwxy"};
        std::string text;
        switch (pick(5)) {
        case 0: text = input(pick(4)); break;
        case 1: text = "CONST[" + number(pick(8)) + "]"; break;
        case 2: text = "IMM[" + number(pick(3)) + "]"; break;
        default: text = "TEMP[" + number(pick(options_.temporaries)) + "]"; break;
        }
        text += one_of(kPairs);
        if (is_float && pick(6) == 0)
            text = "|" + text + "|";
        return pick(4) == 0 ? "-" + text : text;
    }

    void wide_arithmetic() {
        static constexpr std::string_view kPairMasks[] = {"", ".xy", ".zw"};
        static constexpr std::string_view kCompareMasks[] = {".xz", ".x", ".z"};
        static constexpr std::string_view kNarrowMasks[] = {".xy", ".x", ".y"};
        const WideOp& op = kWideOps[pick(std::size(kWideOps))];
        std::string text{op.name};
        text += " TEMP[" + number(pick(options_.temporaries)) + "]";
        text += op.destination == 'W'   ? one_of(kPairMasks)
                : op.destination == 'C' ? one_of(kCompareMasks)
                                        : one_of(kNarrowMasks);
        for (const char kind : op.sources)
            text += ", " + (kind == 'W' ? wide_source(op.is_float) : source(0));
        line(text);
    }

    void arithmetic() {
        if (options_.wide && pick(10) < 4) {
            wide_arithmetic();
            return;
        }
        const RandomOp& op = any_op();
        std::string text{op.name};
        const bool takes_saturate = op.is_float && &op >= std::begin(kOps) && &op < std::end(kOps);
        if (takes_saturate && op.name[0] != 'F' && pick(6) == 0)
            text += "_SAT";
        text += " " + destination();
        // Moves of negated floats would expose the sign of a NaN, which is undefined.
        const bool moves = op.name == "MOV" || op.name == "CMP" || op.name == "UCMP" ||
                           op.name == "DST" || op.name.starts_with("READ_");
        for (unsigned i = 0; i < op.sources; ++i)
            text += ", " + source(moves ? 0 : op.is_float ? 2 : 1);
        line(text);
    }

    const RandomOp& any_op() {
        const unsigned choice = pick(10);
        if (options_.lanes && choice < 4)
            return kLaneOps[pick(std::size(kLaneOps))];
        return choice < 7 ? kOps[pick(std::size(kOps))] : kMoreOps[pick(std::size(kMoreOps))];
    }

    /// Sets TEMP[1].x to a byte offset inside of the buffer or slightly behind it.
    void set_offset() {
        line("AND TEMP[1].x, " + source(1) + ", IMM[2].zzzz");
        line("SHL TEMP[1].x, TEMP[1].xxxx, IMM[3].xxxx");
    }

    void access_memory() {
        set_offset();
        const std::string buffer = "BUFFER[" + number(pick(2)) + "]";
        switch (pick(3)) {
        case 0: line("LOAD " + destination() + ", " + buffer + ", TEMP[1].xxxx"); break;
        case 1: line("STORE " + buffer + ".x, TEMP[1].xxxx, " + source(0)); break;
        default:
            line(std::string(kAtomics[pick(std::size(kAtomics))]) + " TEMP[" +
                 number(pick(options_.temporaries)) + "].x, " + buffer + ", TEMP[1].xxxx, " +
                 source(0));
            break;
        }
    }

    void sample() {
        constexpr std::string_view kSamples[] = {"TEX", "TXB", "TXL", "TEX_LZ"};
        constexpr std::string_view kTargets[] = {"1D", "2D", "3D", "CUBE", "2D_ARRAY", "SHADOW2D"};
        std::string text{kSamples[pick(std::size(kSamples))]};
        const std::string target{kTargets[pick(std::size(kTargets))]};
        text += " " + destination() + ", " + source(0) + ", SAMP[" + number(pick(2)) + "], ";
        line(text + target + (target != "CUBE" && pick(3) == 0 ? ", IMM[2].xyz" : ""));
    }

    void call() {
        const unsigned which = pick(kSubroutines);
        line("CAL :@" + number(which) + " ");
    }

    void subroutine(unsigned which) {
        starts_[which] = count_;
        line("BGNSUB");
        const int outer = loops_;
        loops_ = 0;
        for (unsigned i = 0; i < 4; ++i)
            arithmetic();
        if (pick(2) == 0) {
            line("UIF " + source(1));
            arithmetic();
            line("RET");
            line("ENDIF");
        }
        arithmetic();
        line("RET");
        line("ENDSUB");
        loops_ = outer;
    }

    /// Replaces subroutine numbers in calls by instruction numbers.
    void place_labels() {
        for (unsigned i = 0; i < kSubroutines; ++i) {
            const std::string mark = ":@" + number(i) + " ";
            for (size_t at = text_.find(mark); at != std::string::npos; at = text_.find(mark, at))
                text_.replace(at, mark.size(), ":" + number(starts_[i]));
        }
    }

    /// Sets an index inside of the array or just behind it, where reads give 0.
    void set_address() {
        line("AND TEMP[0].x, " + source(1) + ", IMM[2].zzzz");
        line("UMIN TEMP[0].x, TEMP[0].xxxx, IMM[2].yyyy");
        line("UARL ADDR[0].x, TEMP[0].xxxx");
        has_address_ = true;
    }

    void emit() { line("EMIT IMM[0]." + stream()); }
    std::string stream() { return has_streams_ && pick(2) == 0 ? "yyyy" : "xxxx"; }

    /// Writes an output, emits a vertex, or ends a strip.
    void geometry_step() {
        switch (pick(4)) {
        case 0: emit(); break;
        case 1: line("ENDPRIM IMM[0]." + stream()); break;
        default: line("MOV OUT[" + number(pick(3)) + "]" + mask() + ", " + source(0)); break;
        }
    }

    void loop(unsigned budget, unsigned depth) {
        const std::string counter = "TEMP[" + number(options_.temporaries + depth) + "]";
        line("MOV " + counter + ", IMM[0].xxxx");
        line("BGNLOOP");
        ++loops_;
        line("USGE " + counter + ".y, " + counter + ".xxxx, IMM[2].xxxx");
        line("UIF " + counter + ".yyyy");
        line("BRK");
        line("ENDIF");
        line("UADD " + counter + ".x, " + counter + ".xxxx, IMM[0].yyyy");
        block(budget, depth + 1);
        line("ENDLOOP");
        --loops_;
    }

    void conditional(unsigned budget, unsigned depth) {
        line((pick(2) == 0 ? "UIF " : "IF ") + source(1));
        block(budget, depth + 1);
        if (loops_ > 0 && pick(3) == 0) {
            line(pick(2) == 0 ? "BRK" : "CONT");
        } else if (pick(2) == 0) {
            line("ELSE");
            block(budget, depth + 1);
        }
        line("ENDIF");
    }

    void select(unsigned budget, unsigned depth) {
        line("AND TEMP[1].x, " + source(1) + ", IMM[2].xxxx");
        line("SWITCH TEMP[1].xxxx");
        const int outer = loops_;
        loops_ = 0;  // BRK would leave the switch
        line("CASE IMM[0].xxxx");
        block(budget / 2, depth + 1);
        if (pick(2) == 0)
            line("BRK");
        if (pick(2) == 0) {
            line("DEFAULT");
            block(budget / 2, depth + 1);
            line("BRK");
        }
        line("CASE IMM[2].xxxx");
        block(budget / 2, depth + 1);
        line("BRK");
        line("ENDSWITCH");
        loops_ = outer;
    }

    void block(unsigned budget, unsigned depth) {
        for (unsigned i = 0; i < budget; ++i) {
            const bool nests = options_.control_flow && depth < kMaxDepth && pick(6) == 0;
            if (nests) {
                const unsigned inner = budget / 3 + 1;
                switch (pick(4)) {
                case 0: loop(inner, depth); break;
                case 1: select(inner, depth); break;
                default: conditional(inner, depth); break;
                }
            } else if (options_.indirect && pick(6) == 0) {
                set_address();
            } else if (options_.memory && pick(6) == 0) {
                access_memory();
            } else if (options_.textures && pick(5) == 0) {
                sample();
            } else if (options_.geometry && pick(3) == 0) {
                geometry_step();
            } else if (options_.subroutines && pick(10) == 0) {
                call();
            } else if (options_.discard && pick(12) == 0) {
                line("KILL_IF " + source(2));
            } else {
                arithmetic();
            }
        }
    }

    std::mt19937& random_;
    const RandomShaderOptions& options_;
    std::string text_;
    unsigned count_ = 0;
    int loops_ = 0;
    unsigned vertices_ = 0;     ///< of a geometry shader's input primitive
    bool has_streams_ = false;  ///< of points
    bool has_address_ = false;  ///< ADDR[0].x was written
    std::array<unsigned, kSubroutines> starts_{};
};

}  // namespace

std::string random_shader(std::mt19937& random, const RandomShaderOptions& options) {
    return Generator(random, options).run();
}

}  // namespace valkyr::test
