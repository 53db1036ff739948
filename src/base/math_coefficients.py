#!/usr/bin/env python3
"""Prints the coefficients and constants of math.h, math_fused.h, math.cpp and math_circle.cpp, by mpmath.

Usage: python3 src/base/math_coefficients.py
Each polynomial is Chebyshev's fit over the range that its function reduces to, lowest power first.
"""
import mpmath
from mpmath import mpf

mpmath.mp.prec = 200


def fit(name, function, low, high, count):
    # The fit divides by powers of x that are 0 at the ends; a hair's breadth away is as good.
    coefficients, error = mpmath.chebyfit(function, [low, high], count, error=True)
    print(name, "error", mpmath.nstr(error, 5))
    for value in reversed(coefficients):
        print("   ", float(value).hex())


def pieces(name, value, widths):
    """`value` as a sum of doubles, the first ones cut to some bits."""
    for width in widths:
        piece = float(value)
        if width is not None:
            mantissa, exponent = mpmath.frexp(value)
            cut = mpmath.floor(mpmath.ldexp(mantissa, width))
            piece = float(mpmath.ldexp(cut, int(exponent) - width))
        print(name, piece.hex())
        value -= mpf(piece)


def log_tail(t):
    """(atanh(z) / z - 1) / t with z = sqrt(t), which is even in z."""
    if t == 0:
        return mpf(1) / 3
    z = mpmath.sqrt(abs(t))
    return ((mpmath.atanh(z) if t > 0 else mpmath.atan(z)) / z - 1) / t


def tanh_tail(t):
    """(tanh(z) / z - 1) / t with z = sqrt(t), which is even in z."""
    z = mpmath.sqrt(t)
    return (mpmath.tanh(z) / z - 1) / t if t != 0 else -mpf(1) / 3


def main():
    half = mpmath.log(2) / 2 * mpf("1.0001")
    fit("exp", lambda r: (mpmath.expm1(r) - r) / r**2 if r != 0 else mpf(1) / 2, -half, half, 8)
    fit("fused exp", lambda r: (mpmath.expm1(r) - r) / r**2 if r != 0 else mpf(1) / 2, -half, half, 5)
    fit("fused tanh", tanh_tail, mpf(0), mpf("0.2501"), 5)
    pieces("ln2", mpmath.log(2), [15, None])
    fit("log", log_tail, mpf(0), mpf("0.0296"), 7)
    fit("log64", log_tail, mpf(0), mpf("0.0296"), 10)
    top = (mpmath.pi / 4) ** 2 * mpf("1.0001")
    root = mpmath.sqrt
    fit("sin", lambda t: (mpmath.sin(root(t)) / root(t) - 1) / t if t != 0 else -mpf(1) / 6, mpf(0), top, 7)
    fit("cos", lambda t: ((mpmath.cos(root(t)) - 1) / t + mpf(1) / 2) / t if t != 0 else mpf(1) / 24, mpf(0), top, 7)
    pieces("ln2", mpmath.log(2), [42, None, None])
    pieces("pi/2", mpmath.pi / 2, [33, 33, 33, None])
    pieces("pi/2", mpmath.pi / 2, [None, None])
    print("log2(e)", float(1 / mpmath.log(2)).hex(), "2/pi", float(2 / mpmath.pi).hex())
    mpmath.mp.prec = 1500
    digits = "%0304x" % int(mpmath.floor(2 / mpmath.pi * mpf(2) ** 1216))
    print("2/pi", ["0x" + digits[i : i + 16] for i in range(0, 304, 16)])


main()
