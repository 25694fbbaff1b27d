#!/usr/bin/env python3
"""Tells whether ruby.lalrpop is LALR(1): translates it for bison, which answers in a blink and shows counterexamples.

  grammar/conflicts.py [GRAMMAR.lalrpop]

Exit status 0: no conflicts. What is translated is what the grammar uses: alternatives, macros with parameters, `X?`;
actions, names and positions are dropped.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'"[^"]*"|&\'static|[A-Za-z_]\w*|=>|[<>{}(),;:?=@|&\[\].!]')
HEAD = re.compile(r"(?:pub )?(\w+)(?:<(\w+)>)?(?:: [^={]*?)?\s*=(?!>)\s*")


def skip_action(text, at):
    """Index of the `,`, `;` or `}` that ends the action at `at`."""
    depth = 0
    while True:
        char = text[at]
        if char == '"':
            at = text.index('"', at + 1)
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return at
            depth -= 1
        elif char in ",;" and depth == 0:
            return at
        at += 1


def read_rules(text):
    """name -> (parameter or None, alternatives as token lists)."""
    text = re.sub(r"^\s*//.*$", "", text[text.index("pub Program"):], flags=re.M)
    rules, at = {}, 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        head = HEAD.match(text, at)
        assert head, text[at:at + 60]
        at = head.end()
        braced = text[at] == "{"
        at += braced
        alternatives, current, seen = [], [], False
        while True:
            at += len(text[at:]) - len(text[at:].lstrip())
            if text[at] in ("},;" if braced else ";"):
                closed = text[at] != ","
                if current or seen:
                    alternatives.append(current)
                current, seen = [], False
                at += 1
                if closed:
                    at = text.index(";", at - 1) + 1 if braced else at
                    break
            elif text.startswith("=>", at):
                at, seen = skip_action(text, at + 2), True
            else:
                token = TOKEN.match(text, at)
                assert token, text[at:at + 40]
                current.append(token.group())
                at = token.end()
        rules[head.group(1)] = (head.group(2), alternatives)
    return rules


def read_symbol(tokens, at, macros):
    """One symbol: a name, (macro, argument), ("?", symbol), or None for a position."""
    if tokens[at] == "<":
        at += 1
        at += tokens[at] == "mut"
        at += 2 * (tokens[at + 1] == ":")
        symbol, at = read_symbol(tokens, at, macros)
        assert tokens[at] == ">", tokens
        return symbol, at + 1
    if tokens[at] == "@":
        return None, at + 2
    symbol, at = tokens[at], at + 1
    if symbol in macros and at < len(tokens) and tokens[at] == "<":
        argument, at = read_symbol(tokens, at + 1, macros)
        assert tokens[at] == ">", tokens
        symbol, at = (symbol, argument), at + 1
    if at < len(tokens) and tokens[at] == "?":
        symbol, at = ("?", symbol), at + 1
    return symbol, at


def replaced(symbol, parameter, argument):
    if isinstance(symbol, tuple):
        return (symbol[0], replaced(symbol[1], parameter, argument))
    return argument if symbol == parameter else symbol


class Bison:
    def __init__(self, rules):
        self.rules = rules
        self.macros = {name for name, (parameter, _) in rules.items() if parameter}
        self.terminals, self.queue, self.done = {}, ["Program"], {"Program"}

    def name(self, symbol):
        if isinstance(symbol, tuple):
            return ("opt" if symbol[0] == "?" else symbol[0]) + "_" + self.name(symbol[1])
        if symbol in self.rules:
            return symbol
        return self.terminals.setdefault(symbol, f"T{len(self.terminals)}")

    def use(self, symbol):
        if (isinstance(symbol, tuple) or symbol in self.rules) and symbol not in self.done:
            self.done.add(symbol)
            self.queue.append(symbol)
        return self.name(symbol)

    def alternatives(self, symbol):
        if isinstance(symbol, tuple) and symbol[0] == "?":
            return ["%empty", self.use(symbol[1])]
        name, argument = symbol if isinstance(symbol, tuple) else (symbol, None)
        parameter, alternatives = self.rules[name]
        texts = []
        for tokens in alternatives:
            symbols, at = [], 0
            while at < len(tokens):
                item, at = read_symbol(tokens, at, self.macros)
                if item:
                    symbols.append(self.use(replaced(item, parameter, argument)))
            texts.append(" ".join(symbols) or "%empty")
        return texts

    def text(self):
        rules = []
        while self.queue:
            symbol = self.queue.pop(0)
            rules.append(f"{self.name(symbol)}: " + "\n  | ".join(self.alternatives(symbol)) + ";")
        tokens = [f"%token {name} {text if text.startswith(chr(34)) else ''}" for text, name in self.terminals.items()]
        return "\n".join([*tokens, "%start Program", "%%", *rules, ""])


def main():
    path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("ruby.lalrpop"))
    text = Bison(read_rules(path.read_text())).text()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "ruby.y")
        source.write_text(text)
        command = ["bison", "-Wcounterexamples", "-Werror=conflicts-sr", "-Werror=conflicts-rr", "-o", f"{folder}/ruby.c"]
        sys.exit(subprocess.run([*command, source]).returncode)


if __name__ == "__main__":
    main()
