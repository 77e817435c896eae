# HTML tags: checks that the elements of a page are closed in order.
# SPDX-License-Identifier: MIT
import html.parser


class _Tags(html.parser.HTMLParser):
    """Counts elements that are not closed."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()


def unclosed_tags(page: str) -> list[str]:
    """The elements that are still open at the end; asserts that tags close the innermost one."""
    tags = _Tags()
    tags.feed(page)
    return tags.open
