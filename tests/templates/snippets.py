"""Small templates, one per feature, with the context each is rendered over."""

CONTEXT = {
    "name": "World", "count": 3, "ratio": 0.5, "big": 12345678901234567890, "none_": None,
    "yes": True, "no": False, "empty": "", "text": "Hello, World!", "uni": "ǅé ß 你好 🐘 ΑΣ ΑΣΒ",
    "items": ["b", "a", "C", "a"], "numbers": [3, 1, 2, 10], "floats": [1.0, 0.1, 1e16, 1e-05],
    "user": {"name": "Ann", "age": 30, "tags": ["x", "y"], "keys": "shadowed"},
    "people": [{"name": "Bob", "age": 25, "city": "Oslo"}, {"name": "ann", "age": 30},
               {"name": "Cid", "age": 25, "city": "oslo"}],
    "tree": [{"n": 1, "kids": [{"n": 2, "kids": []}, {"n": 3, "kids": [{"n": 4, "kids": []}]}]}],
    "quotes": "it's <b>\"bold\"</b> & more\\\n", "lines": "one\ntwo\r\nthree\x0bfour\n\nsix",
    "messages": [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"},
                 {"role": "user", "content": "three"}],
    "nested": {"a": {"b": [1, {"c": "deep"}]}}, "spaces": " \t\u00a0x y\u2003 \n",
}

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
text.upper()
text.lower()
text.title()
text.capitalize()
text.swapcase()
uni.upper()
uni.lower()
uni.title()
uni.capitalize()
'straße ﬁx ŉ'.upper()
'straße ﬁx ŉ'.title()
'ﬁx'.capitalize()
"it's a dog's life".title()
"it's (a) dog-house <b>".title()
text.split()
text.split(',')
text.split(', ')
'a,b,,c'.split(',')
'a,b,c'.split(',', 1)
'a b  c'.split()
' a b  c '.split(none, 1)
'a,b,c'.rsplit(',', 1)
' a b  c '.rsplit(none, 1)
''.split()
''.split(',')
'abc'.split('')
lines.splitlines()
lines.splitlines(true)
''.splitlines()
spaces.strip()
spaces.lstrip()
spaces.rstrip()
'xxhixx'.strip('x')
'xyhiyx'.strip('xy')
'xxhixx'.lstrip('x')
'xxhixx'.rstrip('x')
text.startswith('Hello')
text.startswith(('x', 'Hell'))
text.startswith('World', 7)
text.endswith('!')
text.endswith(['!'])
text.replace('l', 'L')
text.replace('l', 'L', 2)
text.replace('', '-')
text.find('o')
text.find('o', 5)
text.find('zz')
text.rfind('o')
text.index('zz')
text.count('l')
text.count('')
', '.join(items)
', '.join(numbers)
'-'.join('abc')
text.zfill(20)
'-5'.zfill(5)
text.center(21)
text.center(20, '*')
'ab'.center(5)
'abc'.center(6, '.')
text.ljust(20, '.')
text.rjust(20)
text.isdigit()
'123'.isdigit()
'²'.isdigit()
'abc'.isalpha()
'abc1'.isalnum()
'  '.isspace()
'ABC'.isupper()
'abc'.islower()
'Abc Def'.istitle()
'a_b'.isidentifier()
text.partition(', ')
text.rpartition('o')
text.partition('zz')
text.removeprefix('Hello')
text.removesuffix('!')
'a\\tb'.expandtabs(4)
text.nope
text.nope()
'{} and {}'.format(1, 'two')
'{0} {1} {0}'.format('a', 'b')
'{a} {b!r}'.format(a=1, b='x')
'{:>5}|{:<5}|{:^5}|'.format('a', 'b', 'c')
'{:05d} {:+d} {:x} {:,}'.format(42, 42, 255, 1234567)
'{:.2f} {:.3g} {:e} {:%}'.format(3.14159, 1234.5678, 1234.5, 0.25)
'{:*^9}'.format('mid')
'{{}} {}'.format(1)
'{u.name} {u[age]}'.format(u=user)
'{}'.format()
'{'.format(1)
'{x}'.format(y=1)
'%s and %r' % ('a', 'b')
'%d %5d|%-5d|%05d' % (1, 2, 3, 4)
'%.2f %e %g' % (3.14159, 1234.5, 0.0001)
'%x %X %o %c %%' % (255, 255, 8, 65)
'%(a)s %(b)d' % {'a': 1, 'b': 2}
'%s' % 'one'
'%s' % none
'%s %s' % 'one'
'%s' % ('a', 'b')
'%d' % 'a'
'%5.1f|' % 2.25
'%s' % [1, 2]
'%10s|%-10s|' % ('a', 'b')
user.get('name')
user.get('missing')
user.get('missing', 'fallback')
user.items()
user.keys()
user.values()
{'a': 1}.keys()
{'a': 1}.values()
{'a': 1}.items()
{'a': 1}.items() | list
{'a': 1}.copy()
{'b': 1, 'a': 2} | dictsort
{'b': 1, 'A': 2} | dictsort
{'b': 1, 'A': 2} | dictsort(true)
{'b': 1, 'a': 2} | dictsort(by='value')
{'b': 1, 'a': 2} | dictsort(reverse=true)
{'b': 1, 'a': 2} | items | list
undefined_name | items | list
{'a': 1}.update({'b': 2})
{'a': 1}.pop('a')
{'a': 1}.setdefault('b', 1)
[1].append(2)
[1].pop()
items.append is defined
items.index('a')
items.count('a')
items.index('zz')
numbers.copy()
text | upper
text | lower
text | title
'hello wORLD (foo) -bar' | title
text | capitalize
none | upper
5 | lower
spaces | trim
'xxhixx' | trim('x')
5 | trim
none | trim
undefined_name | trim
items | join
items | join(', ')
numbers | join('-')
people | join(', ', attribute='name')
people | map(attribute='name') | join(', ')
people | map(attribute='city', default='none') | list
people | map(attribute='city') | list
items | map('upper') | list
items | map('replace', 'a', 'b') | list
numbers | map('string') | list
people | selectattr('age', 'equalto', 25) | map(attribute='name') | list
people | selectattr('city') | list | length
people | selectattr('city', 'defined') | map(attribute='name') | list
people | rejectattr('city', 'defined') | map(attribute='name') | list
people | rejectattr('age', 'gt', 26) | map(attribute='name') | list
numbers | select('odd') | list
numbers | reject('odd') | list
numbers | select('gt', 2) | list
numbers | select('divisibleby', 5) | list
numbers | select | list
['', 'a', none, 0] | select | list
numbers | select('nope') | list
numbers | map('nope') | list
undefined_name | select | list
undefined_name | map('upper') | list
none | map('upper') | list
numbers | select('odd') | length
undefined_name | default('x')
none | default('x')
none | default('x', true)
'' | d('x', true)
empty | default('x', boolean=true)
user.missing | default('x')
user.missing.more | default('x')
undefined_name | default
text | length
uni | length
numbers | length
user | length
5 | length
undefined_name | length
none | count
text | list
user | list
numbers | list
undefined_name | list
none | list
5 | list
numbers | first
numbers | last
[] | first
[] | last is defined
text | first
text | last
user | last
user | first
undefined_name | first
numbers | select('odd') | first
numbers | select('odd') | last
text | replace('l', 'L')
text | replace('l', 'L', 1)
5 | replace(5, 6)
count | string
none | string
1.5 | string
true | string
undefined_name | string
'42' | int
'42.7' | int
'x' | int
'x' | int(7)
'ff' | int(base=16)
'0x1f' | int(0, 16)
1.9 | int
-1.9 | int
none | int
true | int
undefined_name | int
[1] | int(3)
' 12 ' | int
'1_000' | int
'1.5' | float
'x' | float
'x' | float(2.5)
5 | float
'inf' | float
'nan' | float
none | float
1.5 | round
2.5 | round
-2.5 | round
42.55 | round(1)
42.55 | round(1, 'floor')
42.55 | round(1, 'ceil')
1234 | round(-2)
1250 | round(-2)
1234.5 | round(-2)
5 | round
2.675 | round(2)
'a' | round
-5 | abs
-5.5 | abs
true | abs
'a' | abs
numbers | sum
floats | sum
people | sum(attribute='age')
numbers | sum(start=10)
['a'] | sum
numbers | min
numbers | max
items | min
items | max
items | max(case_sensitive=true)
people | min(attribute='age')
[] | min is defined
numbers | sort
items | sort
items | sort(case_sensitive=true)
numbers | sort(reverse=true)
people | sort(attribute='name') | map(attribute='name') | list
people | sort(attribute='age,name') | map(attribute='name') | list
[1, 'a'] | sort
numbers | reverse | list
text | reverse
user | reverse | list
items | unique | list
items | unique(case_sensitive=true) | list
people | unique(attribute='age') | map(attribute='name') | list
numbers | batch(2) | list
numbers | batch(3, 0) | list
numbers | slice(3) | list
numbers | slice(3, 0) | list
people | groupby('age')
people | groupby('city', default='?') | list | length
people | groupby('age') | map('first') | list
people | groupby('age') | map(attribute='grouper') | list
text | indent
lines | indent
lines | indent(2, true)
lines | indent(2, blank=true)
lines | indent('> ')
'a\\nb\\n' | indent
'' | indent
5 | indent
'foo bar baz qux' | truncate(9)
'foo bar baz qux' | truncate(9, true)
'foo bar baz qux' | truncate(11)
'foo bar baz qux' | truncate(11, false, '...', 0)
'x' | center(5)
'one two  three' | wordcount
quotes | escape
quotes | e
quotes | safe
quotes | forceescape
('<' | safe) + '<'
'<' + ('<' | safe)
('<' | safe) ~ '<'
('%s' | safe) % '<'
('<b>' | safe) | upper
('<b>' | safe) | replace('b', '<')
('a<' | escape) | escape
'a b/c?é' | urlencode
'%s %s' | format('a', 1)
'%(x)s' | format(x=1)
user | attr('name') is defined
text | attr('upper') is defined
user | tojson
people | tojson
nested | tojson(indent=2)
nested | tojson(indent=4)
nested | tojson(indent=0)
nested | tojson(indent='--')
nested | tojson(2)
nested | tojson(false, 2)
user | tojson(sort_keys=true)
user | tojson(separators=(',', ':'))
user | tojson(indent=2, separators=(',', ': '))
uni | tojson
uni | tojson(ensure_ascii=true)
quotes | tojson
'\\x00\\x1f\\x7f/\\u2028' | tojson
'\\x00\\x1f\\x7f/\\u2028' | tojson(ensure_ascii=true)
floats | tojson
[1, 2.0, none, true, 'a', [], {}] | tojson
{1: 'a', none: 'b', 2.5: 'c'} | tojson
{true: 1} | tojson
(1, 2) | tojson
[] | tojson(indent=2)
{} | tojson(indent=2)
undefined_name | tojson
{'a': undefined_name} | tojson
range(3) | tojson
user.items() | tojson
'inf' | float | tojson
big | tojson
user | tojson(nope=1)
user | nope
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

STATEMENTS = [
    "{% for m in messages %}{% if loop.index > 2 %}{% break %}{% endif %}{{ m.content }}{% endfor %}",
    "{% for m in messages %}{% if m.role == 'assistant' %}{% continue %}{% endif %}{{ m.content }}{% endfor %}",
    "{% for m in messages[::-1] %}{{ m.role }}{% endfor %}|{% for m in messages[::2] %}{{ m.role }}{% endfor %}",
    "{% for m in messages[1:] %}{{ m.role }}{% endfor %}|{% for m in messages[:-1] %}{{ m.role }}{% endfor %}",
    "{% for x in numbers %}{{ loop.index }}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}"
    "{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.depth }}{{ loop.depth0 }}{{ loop.previtem }}"
    "{{ loop.nextitem }}{{ loop.cycle('a', 'b') }}{{ loop.changed(x) }};{% endfor %}",
    "{% for x in items %}{{ loop.changed(x) }}{% endfor %}",
    "{% for x in [] %}a{% else %}none{% endfor %}",
    "{% for x in [1, 2] %}{% continue %}{% else %}none{% endfor %}",
    "{% for x in [1, 2] %}{% break %}{% else %}none{% endfor %}",
    "{% for x in [1, 2] %}{% if x == 2 %}{% break %}{% endif %}x{% else %}none{% endfor %}",
    "{% for x in numbers if x > 1 %}{{ loop.index }}/{{ loop.length }}:{{ x }}{{ loop.last }} {% endfor %}",
    "{% for x in numbers if x > 100 %}x{% else %}none{% endfor %}",
    "{% set ns = namespace(stop=false) %}{% for x in numbers if not ns.stop %}{{ x }}"
    "{% if x == 1 %}{% set ns.stop = true %}{% endif %}{% endfor %}",
    "{% set ns = namespace(stop=false) %}{% for x in numbers if not ns.stop %}{{ x }}{{ loop.last }}"
    "{% if x == 1 %}{% set ns.stop = true %}{% endif %}{% endfor %}",
    "{% for k, v in user.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% for k in user %}{{ k }};{% endfor %}{% for c in 'añ🐘' %}{{ c }};{% endfor %}",
    "{% for k, v in [(1, 2), (3, 4)] %}{{ k + v }}{% endfor %}{% for (a, b), c in [((1, 2), 3)] %}{{ a ~ b ~ c }}{% endfor %}",
    "{% for a, b in [1] %}{% endfor %}", "{% for a, b in [(1, 2, 3)] %}{% endfor %}",
    "{% for a, b in ['xy'] %}{{ b }}{% endfor %}",
    "{% for x in 5 %}{% endfor %}", "{% for x in none %}{% endfor %}", "{% for x in nope %}{% endfor %}ok",
    "{% for x in range(3) %}{{ x }}{% endfor %}{{ x is defined }}",
    "{% for node in tree recursive %}[{{ loop.depth }}:{{ node.n }}{{ loop(node.kids) }}]{% endfor %}",
    "{% for node in tree recursive %}{{ node.n }}{% if node.kids %}{{ loop(node.kids) }}{% else %}!{% endif %}{% else %}E{% endfor %}",
    "{% for x in [1] %}{{ loop([2]) }}{% endfor %}",
    "{% for a in [1, 2] %}{% for b in [3, 4] %}{{ loop.index }}{{ a }}{{ b }};{% endfor %}{{ loop.index }}{% endfor %}",
    "{% for a in [1, 2] %}{% set outer = loop %}{% for b in [3] %}{{ outer.index }}{{ loop.index }}{% endfor %}{% endfor %}",
    "{% for loop in [1] %}{% endfor %}",
    "{% for x in items | map('upper') %}{{ x }}{{ loop.last }}{{ loop.length }}{% endfor %}",
    "{% if count > 2 %}big{% elif count > 1 %}mid{% else %}small{% endif %}",
    "{% if no %}a{% elif none_ %}b{% elif yes %}c{% else %}d{% endif %}",
    "{% if nope %}a{% else %}b{% endif %}{% if nope.x %}{% endif %}",
    "{% set x = 1 %}{{ x }}{% set x = x + 1 %}{{ x }}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set t = 1, 2 %}{{ t }}",
    "{% set a, b = [1] %}", "{% set (a, b) = (b_, 2) %}{{ b }}",
    "{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + 1 %}{{ x }}{% endfor %}{{ x }}",
    "{% set x = 1 %}{% if true %}{% set x = 2 %}{% endif %}{{ x }}",
    "{% if false %}{% set name = 'x' %}{% endif %}{{ name }}",
    "{% set name = name ~ '!' %}{{ name }}",
    "{% set ns = namespace(n=0) %}{% for i in numbers %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}",
    "{% set ns = namespace() %}{% set ns.x = 1 %}{{ ns.x }}{{ ns }}", "{% set user.x = 1 %}",
    "{% set ns = namespace(a=1) %}{% set ns.a, ns.b = 2, 3 %}{{ ns.a }}{{ ns.b }}",
    "{% set ns = namespace() %}{% set ns._x = 1 %}",
    "{% set block %}a{{ name }}b{% set inner = 1 %}{% endset %}{{ block }}{{ inner is defined }}",
    "{% set block | upper | replace('A', 'x') %}a{{ name }}{% endset %}{{ block }}",
    "{% set x %}{% for i in [1,2] %}{{ i }}{% endfor %}{% endset %}{{ x | length }}",
    "{% macro m(a, b=2, c=a) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }}|{{ m(1, 3) }}|{{ m(1, c=5) }}|{{ m(b=1, a=2) }}",
    "{% macro m(a) %}{{ a is defined }}{{ a }}{% endmacro %}{{ m() }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=2) }}",
    "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}",
    "{% macro m(a) %}{{ a }}{{ varargs | length }}{% endmacro %}{{ m(1, 2, 3) }}{{ m(*[1, 2], **{}) }}",
    "{% macro m(a, a) %}{% endmacro %}", "{% macro m(a=1, b) %}{% endmacro %}",
    "{% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}{% set x = 2 %}{{ m() }}",
    "{% macro m() %}{% set y = 1 %}{{ name }}{% endmacro %}{{ m() }}{{ y is defined }}",
    "{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(5) }}",
    "{% macro m() %}  text  {% endmacro %}{{ m() | trim | length }}{{ m() is string }}",
    "{% for i in [1, 2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}{{ m is defined }}",
    "{% macro wrap(t) %}<{{ t }}>{{ caller() }}</{{ t }}>{% endmacro %}{% call wrap('a') %}in {{ name }}{% endcall %}",
    "{% macro each(xs) %}{% for x in xs %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(x) each([1, 2]) %}[{{ x }}]{% endcall %}",
    "{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}", "{% macro m() %}x{% endmacro %}{% call m() %}{% endcall %}",
    "{% call 5 %}{% endcall %}", "{% macro m(x) %}{{ x }}{% endmacro %}{{ m }}{{ m('a') }}" [-16:],
    "{% filter upper %}a{{ name }}{% endfilter %}", "{% filter replace('a', 'b') | upper %}aXa{% endfilter %}",
    "{% filter indent(2) %}a\nb\n{% endfilter %}",
    "{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}", "{% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q is defined }}",
    "{% set a = 5 %}{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}",
    "{% generation %}text {{ name }}{% set g = 1 %}{% endgeneration %}{{ g is defined }}",
    "{% print 1, 2 %}", "{# comment #}a{#- c -#} b {# #}\nc",
    "{% raw %}{{ not }} {% this %}{# x #}{% endraw %}!", "a {%- raw -%} {{ x }} {%- endraw -%} b",
    "  {% raw %}\n x{% endraw %}\n y", "a{% raw %}unclosed",
    "  {% if true %}\n  a\n  {% endif %}\nb", "a\n  {%+ if true %}\nx{% endif +%}\nb", "a \n {%- if true -%} \n b \n {%- endif -%} \n c",
    "{% if true %}\n\na{% endif %}\n\nb", "x  {{- name -}}  y", "x\n {{ name }}\n y", "x\n  {# c #}\ny", "x  {% if true %}  y{% endif %}",
    "\n{% if true %}a{% endif %}\n\n", "a\r\nb\rc\n", "a\n\n", "{{ 'a\nb' }}", "{{ 'a\r\nb' }}\t{{\n1\n}}",
    "{% for x in [1,2] -%}\n  {{ x }}\n{%- endfor %}", "\t {%- set x = 1 -%} \t{{ x }}", "   {% set x = 1 %}   \n{{ x }}",
    "{% if true %}{%- endif -%}  a", "{{ '{% raw %}' }}", "{{ \"}}\" }}{{ '%}' }}", "{% set d = {'a': {'b': 1}} %}{{ d }}{{ {'a': {'b': 1}} }}",
    "{{ 1 }", "{{ 1", "{% if %}{% endif %}", "{% if true %}", "{% endif %}", "{% bogus %}", "line\n\n{% bogus %}", "{% for x in y %}{% endif %}",
    "{{ }}", "{% set 5 = 1 %}", "{% set true = 1 %}", "{{ a b }}", "{{ 'abc }}", "{{ ( }}", "{{ ] }}", "{{ [1, }}", "{# open", "{{ a ? b }}", "{{ $ }}",
    "{% break %}", "{% for x in [1] %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}", "{% set x = %}", "{% macro %}{% endmacro %}",
    "{{ f(a=1, 2) }}", "{{ dict(a=1, a=2) }}", "{{ dict(**{'a': 1}, **{}) }}", "{{ dict(*[], a=1) }}", "{{ dict(a=1, **{'b': 2}) }}", "{{ dict(a=1, **{'a': 2}) }}",
    "{%- for message in messages -%}{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] | trim + '<|im_end|>\\n' -}}{%- endfor -%}",
    "{% if messages[0]['role'] == 'system' %}a{% else %}{{ raise_exception('No system: ' ~ messages[0].role) }}{% endif %}",
    "{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% endfor %}ok",
    "{% set c = cycler('a', 'b') %}{% for x in numbers %}{{ c.next() }}{{ c.current }}{% endfor %}{{ c.reset() }}{{ c.current }}",
    "{% set j = joiner('; ') %}{% for x in numbers %}{{ j() }}{{ x }}{% endfor %}",
    "{% for g in people | groupby('age') %}{{ g.grouper }}:{{ g.list | length }} {% endfor %}{% for age, group in people | groupby('age') %}{{ age }}{% endfor %}",
    "{% for r in numbers | batch(2) %}{{ r }}{% endfor %}", "{% set g = items | map('upper') %}{{ g | list }}{{ g | list }}",
    "{% set g = numbers | select('odd') %}{% for x in g %}{{ x }}{% endfor %}{% for x in g %}{{ x }}{% endfor %}",
    "{{ messages | tojson }}\n{{ messages | tojson(indent=2) }}", "{% set x = 'a' if count > 5 else 'b' if count > 2 else 'c' %}{{ x }}",
    "{% set x = namespace(v=[]) %}{% for i in range(3) %}{% set x.v = x.v + [i] %}{% endfor %}{{ x.v }}",
    "{{ name }}{{ ' ' }}{{ name | length }}{% set name = 'x' %}{{ name }}", "{% if not (a is defined) and name is string %}ok{% endif %}",
    "{% if 'a' is filter %}x{% endif %}{% if 'upper' is filter %}{{ 'x' | upper }}{% endif %}", "{% if false %}{{ 1 | nope }}{% endif %}ok",
    "{% set x = 5 %}{% macro m() %}{{ x }}{% set x = 6 %}{{ x }}{% endmacro %}{{ m() }}{{ x }}",
    "{% for i in [1,2,3] %}{% if i == 2 %}{% set found = i %}{% endif %}{{ found is defined }}{% endfor %}",
    "{% for i in range(2) %}{% with x = i %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endwith %}{% endfor %}end",
    "{% for i in range(2) %}{% set b %}{% if i == 1 %}{% break %}{% endif %}{{ i }}{% endset %}{{ b }}{% endfor %}end",
    "{{ {'a': 1}.get('a') }}{{ {'b': {}}.get('b', {}).get('c', 'deep') }}", "{{ '%s' | format(name) }}{{ '{:<8}|'.format(name) }}",
    "{{ tree | map(attribute='kids') | map('length') | list }}{{ tree | map(attribute='kids.0.n') | list }}",
    "{% set _ = 1 %}{{ _ }}", "{{ (1, 2)[0] }}{{ (1, 2) | last }}{{ 'x', 'y' }}", "{{- '' if not messages else messages[-1].content -}}",
    "{% for m in messages | selectattr('role', 'equalto', 'user') | list %}{{ loop.index }}{{ m.content }}{% endfor %}",
    "{% set last = (messages | selectattr('role', 'eq', 'user') | list)[-1] %}{{ last.content }}",
    "{% for i in range(12, 0, -5) %}{{ i }},{% endfor %}", "{% set m = {'k': 'v'} %}{% for k in m %}{{ k }}{{ m[k] }}{% endfor %}",
    "{{ loop }}", "{% for i in [1] %}{{ loop is defined }}{% else %}{% endfor %}{{ 1 if loop is defined else 2 }}",
]


def snippets():
    rows = [("{{ " + expression + " }}", CONTEXT) for expression in EXPRESSIONS]
    rows += [(statement, CONTEXT) for statement in STATEMENTS]
    return rows
