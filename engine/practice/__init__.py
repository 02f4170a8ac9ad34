"""Endless practice: a question for every seed, and a check of what was typed that says what is wrong with it.

Read checking, kinds, attention, solutions.
"""

from engine.practice.checking import COMMA, MAX_SEED, TOLERANCE, Verdict, check, practice
from engine.practice.kinds import KINDS, Kind
from engine.practice.solutions import Question, Slip

__all__ = [
    "COMMA",
    "KINDS",
    "Kind",
    "MAX_SEED",
    "Question",
    "Slip",
    "TOLERANCE",
    "Verdict",
    "check",
    "practice",
]
