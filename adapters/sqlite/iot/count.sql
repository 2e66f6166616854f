{% for table in tables %}
SELECT {% for sensor in table.sensors %}{{ ", " if not loop.first }}count({{ sensor.name|sql_name }}){% endfor %} FROM {{ table.name|sql_name }}
---
{% endfor %}
