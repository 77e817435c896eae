// What an instruction does with memory behind addresses.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/passes/memory_use.hpp"

namespace valkyr::valhall::ir {

MemoryUse memory_use(Op op) {
    switch (op) {
    case Op::LOAD_I8:
    case Op::LOAD_I16:
    case Op::LOAD_I24:
    case Op::LOAD_I32:
    case Op::LOAD_I48:
    case Op::LOAD_I64:
    case Op::LOAD_I96:
    case Op::LOAD_I128:
    case Op::LD_TEX:
    case Op::LD_TEX_IMM: return MemoryUse::Load;
    case Op::STORE_I8:
    case Op::STORE_I16:
    case Op::STORE_I24:
    case Op::STORE_I32:
    case Op::STORE_I48:
    case Op::STORE_I64:
    case Op::STORE_I96:
    case Op::STORE_I128:
    case Op::ST_CVT:
    case Op::ATOM_I32:
    case Op::ATOM_I64:
    case Op::ATOM_RETURN_I32:
    case Op::ATOM_RETURN_I64:
    case Op::ATOM1_RETURN_I32:
    case Op::ATOM1_RETURN_I64: return MemoryUse::Store;
    default: return MemoryUse::None;
    }
}

}  // namespace valkyr::valhall::ir
