// Register values: read and define the values of guest registers.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/registers/register_file.hpp"

namespace valkyr::jit {

void RegisterFile::materialise(Vec v, uint32_t value) {
    if (value == 0)
        host_.zero(v);
    else if (value == 0xFFFFFFFF)
        host_.ones(v);
    else
        host_.move(v, Operand::broadcast(host_.pool_word(value)));
}

/// Notes that v holds the current value of r.
void RegisterFile::hold(Reg r, unsigned part, Vec v) {
    places_[r][part].vec = v;
    owner_[v.id] = {r, static_cast<uint8_t>(part)};
}

/// Removes the value of r.
void RegisterFile::forget(Reg r, unsigned part) {
    drop_vec(r, part);
    places_[r][part] = {};
}

/// Loads a value that is in no register.
Vec RegisterFile::load_value(Reg r, unsigned part) {
    const Vec v = allocate();
    Place& place = places_[r][part];
    if (!place.defined || place.is_constant) {
        materialise(v, place.constant);
        place.defined = place.is_constant = true;
    } else {
        VALKYR_CHECK(place.in_slot || place.at_home);
        host_.load(v, place.in_slot ? slot_of(r, part) : home_slot_of(r, part));
    }
    hold(r, part, v);
    return v;
}

Vec RegisterFile::use(Reg r, unsigned part) {
    taken_[part] |= RegSet::one(r);
    const Vec held = places_[r][part].vec;
    const Vec v = held.valid() ? held : load_value(r, part);
    pin(v);
    return v;
}

Operand RegisterFile::operand(Reg r, unsigned part) {
    const Place& place = places_[r][part];
    if (place.vec.valid())
        return use(r, part);
    if ((!place.defined || place.is_constant) && host_.traits().folds_broadcast)
        return Operand::broadcast(host_.pool_word(place.constant));
    const bool in_memory = place.defined && !place.is_constant;
    if (in_memory && !lives_on(r))
        return Operand::memory(place.in_slot ? slot_of(r, part) : home_slot_of(r, part));
    return use(r, part);
}

std::optional<uint32_t> RegisterFile::constant(Reg r) const {
    const Place& place = places_[r][0];
    if (place.defined && !place.is_constant)
        return std::nullopt;
    return place.constant;
}

// Pin the home, so that later temporaries do not borrow it.
Temp RegisterFile::result(Reg r, unsigned part) {
    if (!result_is_home(r))
        return scratch();
    pin(homes_.vec[r][part]);
    return homes_.vec[r][part];
}

/// Whether a result for r can be computed in its home: it is the last value of r in this block, and
/// waiting lanes have no other value of r.
bool RegisterFile::result_is_home(Reg r) const {
    return lent_ == 0 && block_ && !keeps_waiting(r) && block_homes_.has(r) &&
           next_use(r) == kBlockEnd;
}

Temp RegisterFile::result_over(Reg r, unsigned part, std::initializer_list<Operand> sources) {
    if (result_is_home(r))
        return result(r, part);
    for (const Operand& source : sources)
        if (source.is_reg() && take_over(source.reg))
            return {*this, source.reg};
    return scratch();
}

/// Whether no step after this one reads the value that r had before it.
bool RegisterFile::ends_here(Reg r) const {
    if (!lives_on(r))
        return true;
    const valhall::Instr& instr = program_.steps[step_].instr;
    return valhall::op_info(instr.op).has_dest && instr.dest.reg == r && instr.dest.mask == 3;
}

/// Whether the value is in the host register that is its home.
bool RegisterFile::rests_at_home(Owner o) const {
    const Place& place = places_[o.reg][o.part];
    return place.at_home && home_in_register(o.reg) && !(lent_ & bit_of(place.vec)) &&
           place.vec == homes_.vec[o.reg][o.part];
}

/// Makes the register of a value that ends here a temporary.
bool RegisterFile::take_over(Vec v) {
    if (scratch_ & bit_of(v))
        return true;
    const Owner o = owner_[v.id];
    if (o.reg == kNobody || rests_at_home(o) || !ends_here(o.reg))
        return false;
    places_[o.reg][o.part].vec = {};
    owner_[v.id] = {};
    scratch_ |= bit_of(v);
    ++leases_[v.id];
    return true;
}

void RegisterFile::define(Reg r, unsigned part, Vec value) {
    const bool is_home = block_homes_.has(r) && homes_.vec[r][part] == value &&
                         !((scratch_ | lent_) & bit_of(value));
    if (!is_home && !(scratch_ & bit_of(value))) {
        // v belongs to another value: copy it.
        const Vec copy = take_scratch();
        host_.move(copy, value);
        value = copy;
    }
    if (!(places_[r][part].vec == value))
        drop_vec(r, part);
    scratch_ &= ~bit_of(value);
    pins_[value.id] = 0;
    pin(value);
    places_[r][part] = {};
    hold(r, part, value);
    places_[r][part].defined = true;
    places_[r][part].at_home = is_home;
    // Before the last part, the register may also be a source whose other parts have the old value.
    if (part + 1 == parts_)
        facts_[r] = {};
}

void RegisterFile::define_constant(Reg r, uint32_t value) {
    for (unsigned p = 0; p < parts_; ++p) {
        forget(r, p);
        Place& place = places_[r][p];
        place.defined = place.is_constant = true;
        place.constant = value;
    }
    facts_[r] = {};
}

}  // namespace valkyr::jit
