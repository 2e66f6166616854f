{% for table in tables %}
CREATE TABLE {{ table.name|sql_name }} (
  time INTEGER NOT NULL,
  device TEXT NOT NULL,
{% for tag in table.tags %}
  {{ tag.name|sql_name }} TEXT,
{% endfor %}
{% for sensor in table.sensors %}
  {{ sensor.name|sql_name }} {{ types[sensor.type] }},
{% endfor %}
  PRIMARY KEY (device, time)
) WITHOUT ROWID
---
{% endfor %}
