"""Tests, global functions and syntax."""

EXPRESSIONS = """
user is nope
count is defined
nope is defined
nope is undefined
none_ is none
count is none
text is string
5 is string
user is mapping
items is mapping
items is iterable
text is iterable
5 is iterable
none is iterable
nope is iterable
items is sequence
text is sequence
user is sequence
5 is sequence
nope is sequence
user.items() is sequence
user.items() is iterable
(items | map('upper')) is sequence
(items | map('upper')) is iterable
range(3) is sequence
5 is number
5.0 is number
true is number
'5' is number
5 is integer
true is integer
5.0 is float
true is boolean
1 is boolean
true is true
1 is true
false is false
5 is odd
4 is even
'a' is odd
5 is divisibleby 5
5 is divisibleby(2)
5 is eq 5
5 is equalto 5
5 is ne 4
5 is lt 6
5 is gt 6
5 is le 5
5 is ge 5
5 is in [5]
'a' is in 'abc'
5 is not in [5]
5 is sameas 5
'abc' is lower
'ABC' is upper
text.upper is callable
range is callable
text is callable
'upper' is filter
'nope' is filter
'odd' is test
5 is not none
5 is defined and 6 is defined
not 5 is none
5 is == 5
range(3)
range(3) | list
range(1, 4) | list
range(5, 0, -2) | list
range(0)
range(1, 10, 3)
range(3)[1]
range(3) | length
range(100001) | length
range(100000) | length
range(1, 2, 0)
range('a')
range()
dict(a=1, b=2)
dict({'x': 1}, y=2)
dict([('a', 1)])
dict(5)
namespace(a=1)
namespace(a=1).a
namespace(a=1).b is defined
namespace(a=1)['a']
namespace({'a': 1}).a
namespace(_a=1)
strftime_now('%Y-%m-%d %H:%M:%S')
strftime_now('%d %b %Y')
strftime_now('%A, %B %d, %y %j %p %I %f %% %e|%-d')
strftime_now('')
raise_exception('stop')
raise_exception('it\\'s ' ~ 5)
raise_exception()
text.__class__
text._x is defined
user.__class__.x
user._private is defined
nope()
text()
(5).x is defined
numbers | map(attribute=0) | list
people[0].name
people | first
cycler('a', 'b').next()
cycler().next()
joiner(', ')()
loop is defined
'a' if 'b'
[] is defined
1 is defined is defined
text[
{'a': 1
text | upper | lower | length
(text | upper).lower()
text.upper() | lower
-1 | abs
- 1.5 | round
'x' ~ (1 + 2) * 3
1 + 2 * 3 - 4 / 2
not 1 == 2
1 == 1 and 2 == 2 or false
[[1, 2], [3]][0][1]
nested.a.b[1].c
nested['a'].b[1]['c']
'abc'['x'] is defined
{'x': 1}.x
{'x': 1}['y'] is defined
'a\\\\b'
"a\\"b"
'é' ~ "你"
é
x.1.2
07
1.
.5
1..real
""".strip("\n").split("\n")
