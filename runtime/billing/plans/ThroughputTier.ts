/**
 * Returns the SQL of the throughput tier that the plan in force gives the numbers of an environment, for statements
 * that read a number anyway: `of` is a row with `environment_id` and `environment`. In a sandbox the tier sets no
 * limit. gaps-2 D "Per-number throughput budget"
 */
export const throughputTierSql = (of: string): string => `coalesce((
    select o.throughput_tier from environments v
    cross join lateral (select a.plan_offering_id from account_plans a where a.account_id = v.organization_id
      order by a.effective_from desc limit 1) a
    left join plan_offerings o on o.id = a.plan_offering_id
    where ${of}.environment = 'production' and v.id = ${of}.environment_id), 'starter')`
