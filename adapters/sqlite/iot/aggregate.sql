SELECT device{% for s in sensors %}, {{ aggregate }}({{ s.name|sql_name }}) AS {{ s.name|sql_name }}{% endfor %} FROM {{ table|sql_name }} WHERE device IN ({{ devices|map("sql_text")|join(", ") }})
{%- if operation != "Q5" %} AND time >= {{ start }} AND time <= {{ end }}{% endif %}
{%- if operation != "Q4" %}
{%- for s in sensors %} AND {{ s.name|sql_name }} > {{ lower_value }}{% endfor %}
{%- endif %} GROUP BY device
