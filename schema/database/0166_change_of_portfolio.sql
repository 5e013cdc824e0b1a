-- When the number came to its present portfolio; null for one that never changed it since. A number that left a portfolio, came
-- back and left again is counted there from its last departure on, whether or not the portfolio looked meanwhile. U-LIM-01
alter table phone_numbers add column portfolio_changed_at timestamptz;
