SELECT time, device{% for s in sensors %}, {{ s.name|sql_name }}{% endfor %} FROM {{ table|sql_name }} WHERE device IN ({{ devices|map("sql_text")|join(", ") }})
{%- if operation == "Q1" %} AND time = {{ start }}{% else %} AND time >= {{ start }} AND time <= {{ end }}{% endif %}
{%- if operation == "Q3" or operation == "Q10" %}
{%- for s in sensors %} AND {{ s.name|sql_name }} > {{ lower_value }}{% endfor %}
{%- endif %}
{%- if operation == "Q9" or operation == "Q10" %} ORDER BY time DESC
{%- if row_limit and devices|length > 1 %}, device DESC{% endif %}
{%- elif row_limit %} ORDER BY time{{ ', device' if devices|length > 1 }}
{%- endif %}
{%- if row_limit %} LIMIT {{ row_limit }}{% endif %}
