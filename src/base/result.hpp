// Result<T>: holds a value or an Error with a place. The interface is a subset of std::expected.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace valkyr {

/// Kind of an error; the text of the Error names the thing and the limit.
enum class Errc : uint8_t {
    Syntax,        ///< text that does not follow its grammar
    Semantic,      ///< well-formed text that breaks a rule
    BadEncoding,   ///< a machine word or an instruction that has no legal encoding
    OutOfRange,    ///< a number beyond a documented limit
    Unsupported,   ///< legal, but not provided here: the text names what is missing
    InvalidState,  ///< API state that cannot be drawn with
    System,        ///< the machine refused: files, executable pages, threads
    OutOfMemory,   ///< memory ran out
    Cancelled,     ///< the caller gave the work up (cancellation.hpp)
};

/// A place in input text; 1-based, 0 = unknown.
struct SourcePos {
    uint32_t line = 0;
    uint32_t column = 0;
    friend bool operator==(const SourcePos&, const SourcePos&) = default;
};

/// An error value: kind, place and one sentence without a final stop.
struct Error {
    Errc code = Errc::System;
    SourcePos pos;
    std::string text;

    /// "name:line:column: error: text", leaving out what is unknown.
    [[nodiscard]] VALKYR_API std::string format(const std::string& file_name) const;
};

/// Report that a Result does not hold what was asked of it, and abort. Callers must look first, so
/// this is a broken invariant.
[[noreturn]] VALKYR_API void check_failed_value(const Error& error) noexcept;
[[noreturn]] VALKYR_API void check_failed_error() noexcept;

/// An Error apart from the Result that holds it, or none. A result without one is a word, and what
/// makes, copies and frees errors is `cold`: compilers move it out of the code that runs when
/// nothing fails. An error for which there is no memory becomes Errc::OutOfMemory.
class HeldError {
public:
    HeldError() = default;
    [[gnu::cold]] VALKYR_API explicit HeldError(Error error) noexcept;
    HeldError(const HeldError& other) noexcept
        : error_(other.error_ == nullptr ? nullptr : copy(*other.error_)) {}
    HeldError(HeldError&& other) noexcept
        : error_(std::exchange(other.error_, nullptr)) {}
    HeldError& operator=(HeldError other) noexcept {
        std::swap(error_, other.error_);
        return *this;
    }
    ~HeldError() {
        if (error_ != nullptr)
            free(error_);
    }

    /// Returns whether there is an error.
    [[nodiscard]] bool held() const noexcept { return error_ != nullptr; }
    /// Returns the error; there is one.
    [[nodiscard]] const Error& get() const noexcept { return *error_; }
    /// Returns the error, whose text moves; there is one.
    [[nodiscard, gnu::cold]] VALKYR_API Error take() noexcept;

private:
    [[gnu::cold]] VALKYR_API static const Error* copy(const Error& error) noexcept;
    [[gnu::cold]] VALKYR_API static void free(const Error* error) noexcept;

    const Error* error_ = nullptr;
};

/// Either a T or an Error. Checked access is the caller's duty: ask has_value() first. The value of
/// an error, or the error of a value, is a broken invariant and aborts.
template <typename T>
class [[nodiscard]] Result {
public:
    using value_type = T;
    Result(T value)
        : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
    Result(Error error)
        : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

    [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    [[nodiscard]] T& value() & { return *checked_value(state_); }
    [[nodiscard]] const T& value() const& { return *checked_value(state_); }
    [[nodiscard]] T&& value() && { return std::move(*checked_value(state_)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const& { return checked_error(state_).get(); }
    [[nodiscard]] Error error() && { return checked_error(state_).take(); }

private:
    template <typename State>
    static auto* checked_value(State& state) noexcept {
        auto* const value = std::get_if<0>(&state);
        if (value == nullptr)
            check_failed_value(std::get_if<1>(&state)->get());
        return value;
    }
    template <typename State>
    static auto& checked_error(State& state) noexcept {
        auto* const error = std::get_if<1>(&state);
        if (error == nullptr)
            check_failed_error();
        return *error;
    }

    std::variant<T, HeldError> state_;
};

/// Success or an Error, for functions with nothing to return.
template <>
class [[nodiscard]] Result<void> {
public:
    using value_type = void;
    Result() = default;
    Result(Error error)
        : error_(std::move(error)) {}  // NOLINT: implicit by design

    [[nodiscard]] bool has_value() const noexcept { return !error_.held(); }
    explicit operator bool() const noexcept { return has_value(); }
    [[nodiscard]] const Error& error() const& {
        check();
        return error_.get();
    }
    [[nodiscard]] Error error() && {
        check();
        return error_.take();
    }

private:
    void check() const noexcept {
        if (has_value())
            check_failed_error();
    }

    HeldError error_;
};

}  // namespace valkyr

#define VALKYR_CONCAT_(a, b) a##b
#define VALKYR_CONCAT(a, b) VALKYR_CONCAT_(a, b)

/// VALKYR_TRY(name, expr): evaluates a Result; returns its error from this function, or declares
/// `name` with its value.
#define VALKYR_TRY(name, expr)                                                                     \
    auto VALKYR_CONCAT(try_, __LINE__) = (expr);                                                   \
    if (!VALKYR_CONCAT(try_, __LINE__).has_value())                                                \
        return std::move(VALKYR_CONCAT(try_, __LINE__)).error();                                   \
    auto name = std::move(*VALKYR_CONCAT(try_, __LINE__))

/// VALKYR_TRY_VOID(expr): returns the error of a Result from this function, or drops its value.
#define VALKYR_TRY_VOID(expr)                                                                      \
    do {                                                                                           \
        auto try_result = (expr);                                                                  \
        if (!try_result.has_value())                                                               \
            return std::move(try_result).error();                                                  \
    } while (false)
