{% for table in tables %}
CREATE TABLE {{ table.name|sql_name }} (
  time bigint NOT NULL,
  device text NOT NULL,
{% for tag in table.tags %}
  {{ tag.name|sql_name }} text,
{% endfor %}
{% for sensor in table.sensors %}
  {{ sensor.name|sql_name }} {{ types[sensor.type] }},
{% endfor %}
  PRIMARY KEY (device, time)
)
---
{% endfor %}
