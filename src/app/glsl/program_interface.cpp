// Program interface: asks OpenGL for the uniforms, inputs and outputs of a linked program.
// SPDX-License-Identifier: MIT
#include "app/glsl/program_interface.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace valkyr::app {

namespace {

// Constants of the headers of OpenGL, which need not be installed.
constexpr unsigned kActiveResources = 0x92F5;
constexpr unsigned kMaxNameLength = 0x92F6;
constexpr unsigned kInterfaces[] = {0x92E1, 0x92E2, 0x92E3, 0x92E4, 0x92E6};  ///< by ResourceKind
constexpr unsigned kType = 0x92FA;
constexpr unsigned kArraySize = 0x92FB;
constexpr unsigned kOffset = 0x92FC;
constexpr unsigned kBlockIndex = 0x92FD;
constexpr unsigned kArrayStride = 0x92FE;
constexpr unsigned kMatrixStride = 0x92FF;
constexpr unsigned kLocation = 0x930E;
/// GL_REFERENCED_BY_*_SHADER in the order of stages in a program.
constexpr unsigned kReferencedBy[] = {0x9306, 0x9307, 0x9308, 0x9309, 0x930A, 0x930B};

struct InterfaceFunctions {
    void (*get_interface)(unsigned program, unsigned interface, unsigned name, int* value);
    void (*get_name)(
        unsigned program, unsigned interface, unsigned index, int size, int* length, char* text);
    void (*get_resource)(unsigned program,
                         unsigned interface,
                         unsigned index,
                         int count,
                         const unsigned* names,
                         int size,
                         int* length,
                         int* values);
};

/// Asks for the resources of one program.
class Asker {
public:
    Asker(const InterfaceFunctions& gl, unsigned program)
        : gl_(gl)
        , program_(program) {}

    std::string describe() {
        std::ostringstream text;
        for (size_t kind = 0; kind < std::size(kInterfaces); ++kind) {
            int count = 0;
            int longest = 0;
            gl_.get_interface(program_, kInterfaces[kind], kActiveResources, &count);
            gl_.get_interface(program_, kInterfaces[kind], kMaxNameLength, &longest);
            std::string name(static_cast<size_t>(std::max(longest, 1)), '\0');
            for (int i = 0; i < count; ++i) {
                int length = 0;
                gl_.get_name(program_, kInterfaces[kind], static_cast<unsigned>(i),
                             static_cast<int>(name.size()), &length, name.data());
                text << kind << " " << name.substr(0, static_cast<size_t>(length));
                for (const int value : values(static_cast<ResourceKind>(kind), i))
                    text << " " << value;
                text << "\n";
            }
        }
        return text.str();
    }

private:
    int ask(ResourceKind kind, int index, unsigned name) {
        int value = 0;
        int length = 0;
        gl_.get_resource(program_, kInterfaces[static_cast<size_t>(kind)],
                         static_cast<unsigned>(index), 1, &name, 1, &length, &value);
        return value;
    }

    /// Type, size, block, offset, array stride, matrix stride, location, stages.
    std::array<int, 8> values(ResourceKind kind, int index) {
        std::array<int, 8> all{0, 1, -1, -1, 0, 0, -1, 0};
        for (size_t stage = 0; stage < std::size(kReferencedBy); ++stage)
            if (ask(kind, index, kReferencedBy[stage]) != 0)
                all[7] |= 1 << stage;
        if (kind == ResourceKind::Block || kind == ResourceKind::StorageBlock)
            return all;
        all[0] = ask(kind, index, kType);
        all[1] = ask(kind, index, kArraySize);
        all[6] = ask(kind, index, kLocation);
        if (kind == ResourceKind::Uniform) {
            constexpr unsigned kNames[] = {kBlockIndex, kOffset, kArrayStride, kMatrixStride};
            for (size_t i = 0; i < std::size(kNames); ++i)
                all[2 + i] = ask(kind, index, kNames[i]);
        }
        return all;
    }

    const InterfaceFunctions& gl_;
    unsigned program_;
};

}  // namespace

std::string describe_interface(GetFunction get, unsigned program) {
    InterfaceFunctions gl{};
    if (!load_function(get, "glGetProgramInterfaceiv", gl.get_interface) ||
        !load_function(get, "glGetProgramResourceName", gl.get_name) ||
        !load_function(get, "glGetProgramResourceiv", gl.get_resource))
        return {};
    return Asker(gl, program).describe();
}

std::vector<ProgramResource> parse_interface(std::string_view text) {
    std::vector<ProgramResource> resources;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        ProgramResource each;
        size_t kind = 0;
        words >> kind >> each.name >> each.type >> each.size >> each.block >> each.offset >>
            each.array_stride >> each.matrix_stride >> each.location >> each.stages;
        if (!words || kind >= std::size(kInterfaces))
            continue;
        each.kind = static_cast<ResourceKind>(kind);
        resources.push_back(std::move(each));
    }
    return resources;
}

}  // namespace valkyr::app
