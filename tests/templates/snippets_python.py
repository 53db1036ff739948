"""Where a shortcut would differ from Python: numbers, laziness, names of methods, orders, markup."""

EXPRESSIONS = """
'\\é\\你\\🐘'
range(10)[2:8:3][1:].stop
range(5) is defined and range(5)[::-1]
(5).real ~ (5).bit_length() ~ (2.5).is_integer() ~ true.numerator
'%s' % undefined_name
undefined_name | truncate
5 | truncate
[1] | truncate
5 | map('upper') | first is defined
5 | map('upper') is defined
[] | map | list
[1] | map | list
['a', 1] | map('upper') | first
['a', 1] | map('length') | first
[1, 'a'] | select('gt', 0) | first
1 in ([1, 'a'] | select('gt', 0))
numbers | select('odd') | select('gt', 1) | map('string') | join(',')
(numbers | map('string')) is iterable
12345.678 | round(-2)
15 | round(-1) ~ 25 | round(-1) ~ 25.0 | round(-1) ~ 35.0 | round(-1) ~ 1e22 | round(-21) ~ 4.999 | round(-1) ~ 5.0 | round(-1) ~ 5.1 | round(-1)
0.5 | round ~ 1.5 | round ~ 2.5 | round ~ -0.5 | round
'1' * 60 | int
('1' * 60) | float
123456789012345678901234567890 * 1.0
2 ** 100
10 ** 30 / 3
-9223372036854775809 // 7
7 // 0
7.0 // 0
7 % 0
1e308 * 10
'a' < 'B'
[1, [2, 3]] < [1, [2, 4]]
{} < {}
none < none
true + true
'abc'[5:1:-1]
'abc'[-100:100]
[1,2,3][-1:-3:-1]
'x'.join(['a', 1])
user.items()
user['items'] is callable
{'get': 1}.get is callable
{'get': 1}['get']
{'update': 1}.update is defined
{'update': 1}['update']
{'a': 1}.a ~ {'a': 1}['a']
{'a': 1}.pop is defined
[1].append is defined
[1].append(2)
[1].index(1)
[1].sort()
'a'.__class__
'a'['__class__'] is defined
'a' | attr('__class__') is defined
''.format.__globals__
'{0.__class__}'.format(1)
'{0[a]}'.format({'a': 1})
nope.x.y
nope['x'] is defined
user.nope.x is defined
user.nope is defined
(user.nope | default('d'))
(user.nope.x | default('d'))
none | default('d')
none | default('d', true)
'' | default('d', true)
0 | default('d', true)
false | default('d')
[3, 1, 'a'] | sort
['b', 'A', 'a', 'B'] | sort
['b', 'A', 'a', 'B'] | sort(case_sensitive=true)
[1, true, 1.0, 0] | sort
[[1, 'b'], [1, 'a']] | sort
people | sort(attribute='age', reverse=true) | map(attribute='name') | list
people | groupby('age') | first
people | groupby('city') | list
['a', 'A', 'b'] | unique | list
['a', 'A'] | groupby('0') | list
'ab' | batch(1) | list
{'b': 1, 'a': 2} | dictsort | first
{'a': 1, 1: 2} | dictsort
{'a': 1, 'b': 'x'} | dictsort(by='value')
[1, 2] | sum ~ [[1], [2]] | sum(start=[])
[0.1, 0.2, 0.3] | sum
'a' ~ 1.0 ~ none ~ [undefined_name]
1.0e100 ~ ' ' ~ 1e-7 ~ ' ' ~ 123456789012345680.0 ~ ' ' ~ 0.1 + 0.2
3.0 ~ -0.0 ~ 1e15 ~ 1e17
loop
'%-5s|%5s|%05d|%+d|% d|%x|%X|%#x|%o|%e|%.3g|%c|%r|%%' % ('a', 'b', 42, 42, 42, 255, 255, 255, 8, 1234.5, 0.00001234, 'c', 'd')
'%*d' % (5, 42)
'%.2f' % 2.675
'%s' % (1,)
'%s %s' % [1, 2]
'%(a)s %(b)s' % user
'{:>10}{:<10}{:^10}'.format('a', 'b', 'c')
'{:08.3f}'.format(3.14159)
'{:,}'.format(1234567.891)
'{:+,}'.format(-1234567)
'{!r:>10}'.format('a')
'{} {}'.format('a')
'{0} {}'.format('a', 'b')
'a\\tb'.expandtabs()
'ab\\n' | wordwrap(1)
'aaa-bbb-ccc ddd' | wordwrap(6)
'a--b c---d e-f' | wordwrap(2)
1024 | filesizeformat ~ '12345' | filesizeformat ~ 1e30 | filesizeformat ~ 1500000 | filesizeformat(true)
{'a': none, 'b': '<', 'c d': 1} | xmlattr
[('a', 1), ('b', '/')] | urlencode
macro_name is defined
'x' is sameas 'x'
'a' is in ['a']
2 is divisibleby(0)
'aé'.isascii() ~ 'ab1'.isalnum()
'ß'.upper() ~ 'ŒUVRE'.lower() ~ 'İ'.lower() ~ 'ΑΣ'.lower() ~ 'ǆ'.title()
text | e | safe | upper
('<' | e) ~ '<'
('<' | e) + '<'
'<' + ('<' | e)
('<' | e).join(['<', '>'])
('%s' | e) % '<'
('{}' | e).format('<')
('<a>' | safe).split('a')
'a,b' | replace(',', '<' | safe)
["<"] | join('&' | safe)
""".strip("\n").split("\n")
