{% for table in tables %}
DELETE FROM {{ table.name|sql_name }}
---
{% endfor %}
