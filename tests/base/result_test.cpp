// Result test: checks Result<T>, Error and VALKYR_TRY.
// SPDX-License-Identifier: MIT
#include "base/caught_error.hpp"
#include "base/result.hpp"

#include <array>
#include <csignal>
#include <doctest/doctest.h>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace {

using valkyr::Errc;
using valkyr::Error;
using valkyr::Result;

Result<int> parse_digit(char c) {
    if (c < '0' || c > '9')
        return Error{Errc::Syntax, {3, 7}, "digit expected"};
    return c - '0';
}

Result<std::unique_ptr<int>> boxed_sum(char a, char b) {
    VALKYR_TRY(x, parse_digit(a));
    VALKYR_TRY(y, parse_digit(b));
    return std::make_unique<int>(x + y);
}

Result<void> check_digit(char c) {
    VALKYR_TRY_VOID(parse_digit(c));
    return {};
}

/// The output of a child process that does `work` and aborts; empty if it does not abort.
template <typename Work>
std::string last_words(Work&& work) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit no_core{0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        std::signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        work();
        _exit(0);
    }
    close(ends[1]);
    std::array<char, 256> text{};
    const ssize_t count = read(ends[0], text.data(), text.size());
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    const bool aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    return aborted && count > 0 ? std::string(text.data(), static_cast<size_t>(count)) : "";
}

template <typename Exception>
Error caught(const Exception& exception) {
    try {
        throw exception;
    } catch (...) {
        return valkyr::caught_error();
    }
}

}  // namespace

TEST_CASE("a result carries a value, a move-only one too") {
    auto sum = boxed_sum('4', '5');
    REQUIRE(sum.has_value());
    CHECK(**sum == 9);
    CHECK(check_digit('1').has_value());
}

TEST_CASE("VALKYR_TRY hands the first error on unchanged") {
    auto sum = boxed_sum('4', 'x');
    REQUIRE_FALSE(sum.has_value());
    CHECK(sum.error().code == Errc::Syntax);
    CHECK(sum.error().pos == valkyr::SourcePos{3, 7});
    CHECK_FALSE(check_digit('x').has_value());
}

TEST_CASE("copies of an error have texts of their own, and success is a word") {
    static_assert(sizeof(Result<void>) == sizeof(void*));
    Result<void> error = check_digit('x');
    const Result<void> copy = error;
    const Error taken = std::move(error).error();
    CHECK(taken.text == "digit expected");
    CHECK(copy.error().text == taken.text);
    Result<void> assigned;
    assigned = copy;
    CHECK(assigned.error().code == Errc::Syntax);
    assigned = Result<void>();
    CHECK(assigned.has_value());
    CHECK(copy.error().text == "digit expected");
}

TEST_CASE("errors format like a compiler's, leaving out unknown places") {
    CHECK(Error{Errc::Syntax, {3, 7}, "t"}.format("f") == "f:3:7: error: t");
    CHECK(Error{Errc::Syntax, {3, 0}, "t"}.format("f") == "f:3: error: t");
    CHECK(Error{Errc::Syntax, {}, "t"}.format("f") == "f: error: t");
}

TEST_CASE("the value of an error and the error of a value abort and say so") {
    const Result<int> error = parse_digit('x');
    const Result<int> value = parse_digit('1');
    CHECK(last_words([&] { static_cast<void>(error.value()); }).find("digit expected") !=
          std::string::npos);
    CHECK(!last_words([&] { static_cast<void>(*error); }).empty());
    CHECK(!last_words([&] { static_cast<void>(value.error()); }).empty());
    CHECK(last_words([&] { static_cast<void>(value.value()); }).empty());
}

TEST_CASE("exceptions of the standard library are error values; others abort") {
    CHECK(caught(std::bad_alloc()).code == Errc::OutOfMemory);
    CHECK(caught(std::bad_array_new_length()).code == Errc::OutOfMemory);
    CHECK(caught(std::length_error("long")).code == Errc::OutOfMemory);
    const Error no_thread = caught(std::system_error(
        std::make_error_code(std::errc::resource_unavailable_try_again), "starting"));
    CHECK(no_thread.code == Errc::System);
    CHECK(no_thread.text.find("starting") == 0);
    CHECK(caught(std::system_error(std::make_error_code(std::errc::not_enough_memory))).code ==
          Errc::OutOfMemory);
    CHECK(last_words([] { static_cast<void>(caught(std::logic_error("a bug"))); }).find("a bug") !=
          std::string::npos);
}
