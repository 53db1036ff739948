"""Filters."""

EXPRESSIONS = """
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
""".strip("\n").split("\n")
