{% for table in tables %}
TRUNCATE {{ table.name|sql_name }}
---
{% endfor %}
