// Creation turn: lets one thread of a program at a time create a resource.
// SPDX-License-Identifier: MIT
//
// A creation ends when Mesa's driver has read its variable for the number of the resource and
// incremented it, after the last message. Nothing tells that at once: the turn lasts until the
// thread makes the next call, or has gone on for a while, or sleeps.
#pragma once

namespace valkyr::shim {

/// A name of this thread; another one may get it afterwards.
const void* this_thread();

/// Waits for the turn.
void take_creation_turn();

/// The resource exists, but the driver may still be at it.
void finish_creation();

/// Whether this thread has made a resource and no call afterwards.
bool is_at_creation();

/// The driver fills the resource that it made before it goes on.
void continue_creation();

/// The creation is over, or has failed. Nothing if this thread has not the turn.
void leave_creation_turn();

}  // namespace valkyr::shim
