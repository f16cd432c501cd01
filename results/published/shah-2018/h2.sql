create table account(id int primary key, balance int, name varchar(40));
insert into account select x, 0, 'holder ' || x from system_range(1, 50000);
create table entry(id bigint generated always as identity primary key, account int, amount int);
insert into entry(account, amount) select mod(x * 7, 50000) + 1, mod(x, 100) from system_range(1, 200000);
create index entry_account on entry(account);
update account a set balance = (select coalesce(sum(amount), 0) from entry e where e.account = a.id);
select count(*) accounts, sum(balance) total from account;
