SELECT {{ start }} + (time - {{ start }}) / {{ group_by }} * {{ group_by }} AS time, device{% for s in sensors %}, {{ aggregate }}({{ s.name|sql_name }}) AS {{ s.name|sql_name }}{% endfor %} FROM {{ table|sql_name }} WHERE device IN ({{ devices|map("sql_text")|join(", ") }}) AND time >= {{ start }} AND time < {{ end }} GROUP BY 1, 2 ORDER BY 1
{%- if operation == "Q11" %} DESC{% endif %}
