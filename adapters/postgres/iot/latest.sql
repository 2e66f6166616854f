{% for device in devices %}
{{ "UNION ALL " if not loop.first }}(SELECT time, device{% for s in sensors %}, {{ s.name|sql_name }}{% endfor %} FROM {{ table|sql_name }} WHERE device = {{ device|sql_text }} AND ({% for s in sensors %}{{ " OR " if not loop.first }}{{ s.name|sql_name }} IS NOT NULL{% endfor %}) ORDER BY time DESC LIMIT 1)
{% endfor %}
