"""The list of the rules, and how a rule is stated.

A rule is an asynchronous function of a Player. It returns if the player keeps the rule, raises Broken with the reason if it breaks it, and
NotApplicable if the player does not offer what the rule is about.
"""
RULES = []


class Broken(Exception):
    pass


class NotApplicable(Exception):
    pass


class Rule:
    def __init__(self, name, section, sentence, body, spoils):
        self.name, self.section, self.sentence, self.body, self.spoils = name, section, sentence, body, spoils


def rule(name, section, sentence, spoils=False):
    """A rule: its name, the section of the specification, and what it demands.

    After a rule that spoils, the player is started again, where it can be.
    """
    def add(body):
        RULES.append(Rule(name, section, sentence, body, spoils))
        return body
    return add


def check(condition, reason):
    if not condition:
        raise Broken(reason)


def needs(condition, reason):
    if not condition:
        raise NotApplicable(reason)
