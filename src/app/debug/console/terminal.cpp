// Terminal: feeds a console from a terminal (history, completion) or from a script.
// SPDX-License-Identifier: MIT
#include "app/debug/console/terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <histedit.h>
#include <memory>
#include <sys/ioctl.h>
#include <unistd.h>

namespace valkyr::debug {

namespace {

constexpr size_t kPipeWidth = 160;
constexpr int kHistory = 1000;
constexpr char kPrompt[] = "(valkyr) ";

const char* prompt(EditLine*) {
    return kPrompt;
}

/// The longest beginning that all candidates share.
std::string common_beginning(const std::vector<std::string>& candidates) {
    std::string common = candidates.front();
    for (const std::string& candidate : candidates) {
        const auto [a, b] = std::ranges::mismatch(common, candidate);
        common.erase(a, common.end());
    }
    return common;
}

/// Completes the line when the user presses the tab key.
unsigned char complete_line(EditLine* editor, int) {
    Console* console = nullptr;
    el_get(editor, EL_CLIENTDATA, &console);
    const LineInfo* info = el_line(editor);
    const std::string line(info->buffer, info->cursor);
    const std::vector<std::string> candidates = console->complete(line);
    if (candidates.empty())
        return CC_ERROR;
    const size_t blank = line.find_last_of(" \t");
    const size_t typed = blank == std::string::npos ? line.size() : line.size() - blank - 1;
    std::string rest = common_beginning(candidates).substr(typed);
    if (candidates.size() == 1 && !candidates.front().ends_with('['))
        rest += ' ';
    if (!rest.empty())
        return el_insertstr(editor, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    std::putchar('\n');
    for (const std::string& candidate : candidates)
        std::printf("%s  ", candidate.c_str());
    std::putchar('\n');
    return CC_REDISPLAY;
}

struct EndEditor {
    void operator()(EditLine* editor) const { el_end(editor); }
};
struct EndHistory {
    void operator()(History* history) const { history_end(history); }
};

void execute(Console& console, const std::string& line) {
    const auto text = console.execute(line);
    if (text)
        std::fputs(text->c_str(), stdout);
    else
        std::fprintf(stderr, "%s\n", text.error().text.c_str());
}

}  // namespace

Result<void> run_terminal(Console& console) {
    const std::unique_ptr<EditLine, EndEditor> editor(el_init("valkyr", stdin, stdout, stderr));
    const std::unique_ptr<History, EndHistory> lines(history_init());
    if (!editor || !lines)
        return Error{Errc::System, {}, "no line editor for this terminal"};
    HistEvent event;
    history(lines.get(), &event, H_SETSIZE, kHistory);
    history(lines.get(), &event, H_SETUNIQUE, 1);
    el_set(editor.get(), EL_CLIENTDATA, &console);
    el_set(editor.get(), EL_PROMPT, prompt);
    el_set(editor.get(), EL_EDITOR, "emacs");
    el_set(editor.get(), EL_HIST, history, lines.get());
    el_set(editor.get(), EL_ADDFN, "valkyr-complete", "complete commands and names", complete_line);
    el_set(editor.get(), EL_BIND, "^I", "valkyr-complete", nullptr);
    el_source(editor.get(), nullptr);
    std::string last;
    int length = 0;
    while (!console.done()) {
        const char* text = el_gets(editor.get(), &length);
        if (text == nullptr || length <= 0)
            break;
        std::string line(text, static_cast<size_t>(length));
        line.erase(line.find_last_not_of("\r\n") + 1);
        if (line.empty())
            line = last;
        else
            history(lines.get(), &event, H_ENTER, line.c_str());
        execute(console, line);
        last = line;
    }
    return {};
}

unsigned run_script(Console& console, std::istream& lines, const std::string& name) {
    unsigned failed = 0;
    unsigned number = 0;
    for (std::string line; !console.done() && std::getline(lines, line);) {
        ++number;
        const auto text = console.execute(line);
        if (text) {
            std::fputs(text->c_str(), stdout);
            continue;
        }
        ++failed;
        std::fflush(stdout);
        std::fprintf(stderr, "%s:%u: error: %s\n", name.c_str(), number, text.error().text.c_str());
    }
    return failed;
}

size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return kPipeWidth;
    return size.ws_col;
}

}  // namespace valkyr::debug
