"""Operators, literals, attributes, subscripts and slices."""

EXPRESSIONS = """
name
count + 1
count - 5
-count
+count
count * 2
count / 2
count // 2
-7 // 2
-7 % 3
7 % -3
7.5 % 2
2 ** 10
2 ** -1
2 ** 3 ** 2
-2 ** 2
10 / 4 * 2
1 + 2 ~ 3
1 ~ none ~ true ~ 1.0 ~ [1, 'a']
'a' 'b' "c"
'\\n\\t\\x41\\u00e9\\U0001F418\\101\\q'
'a' * 3
3 * 'ab'
[1, 2] * 2
[1] + [2]
(1,) + (2, 3)
'a' + 'b'
'a' + 1
1 + 'a'
none + 1
undefined_name + 1
undefined_name
undefined_name.x
undefined_name['x']
user.missing
user.missing.more
user['missing']
none.x
none_.x is defined
user.name
user['name']
user['keys']
user.tags.0
user.tags[-1]
user.tags[5] is defined
text[0]
text[-1]
text[100] is defined
text[1:3]
text[::-1]
text[::2]
text[-3:]
text[:-3]
text[5:2]
text[5:2:-1]
text[::0]
numbers[::-1]
numbers[1:]
numbers[:-1]
numbers[::2]
numbers[-2:]
numbers[100:]
numbers['a']
numbers[1.0] is defined
numbers[true]
uni[1]
uni[-2:]
uni[::-1]
none_[1:]
user[1:]
undefined_name[1:]
numbers[none:2]
numbers['a':]
count == 3
count == 3.0
true == 1
'1' == 1
none == false
[1, 2] == [1, 2]
[1, 2] == (1, 2)
{'a': 1, 'b': 2} == {'b': 2, 'a': 1}
1 < 2 < 3
1 < 3 < 2
'a' < 'b'
'a' < 1
[1, 2] < [1, 3]
none < 1
1 != 2
2 >= 2
2 <= 1
3 > 2 > 1
'a' in 'abc'
'x' not in 'abc'
1 in [1, 2]
1 in 'abc'
'name' in user
'x' in none
'x' in undefined_name
1 in 5
[1] in [[1]]
not true
not undefined_name
true and 'x'
false and 'x'
none or 'default'
'a' or 'b'
1 if true else 2
1 if false else 2
1 if false
'x' if count > 2 and not no
(1 if false) is defined
[1, 2, 3,]
(1, 2)
(1,)
()
{'a': 1, 'b': [1, {'c': none}]}
{1: 'a', true: 'b', 1.0: 'c'}
{}
{[1]: 2}
{'a': 1, 'a': 2}
1.0
1.5e3
1e16
1e15
123456789.123456789
0.0001
0.00001
1e-5
100.0
1/3
2.5e-10
1_000
0x1F
0b101
0o17
big
big + 1
floats
ratio
1e400
true
False
None
""".strip("\n").split("\n")
