-- Of another change, which comes with its own text.
select 1;
