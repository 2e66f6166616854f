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
{# The time column is an integer, so the interval is a number of its units. #}
SELECT create_hypertable({{ table.name|sql_name|sql_text }}, 'time', chunk_time_interval => {{ tuning.chunk_time_interval[precision] }}::bigint, create_default_indexes => false)
---
{% endfor %}
