import { assert, describe, it } from "@effect/vitest"
import { readSource } from "./SourceText.ts"
import { tenantJoinProblems, tenantTables } from "./TenantJoins.ts"

const tables = tenantTables([
  "create table messages (\n  environment_id text not null,\n  id text\n);",
  "create table wallets (\n  account_id text not null\n);",
  "create table rate_cards (\n  version text not null\n);"
])

const path = "runtime/batches/BatchRepo.ts"
const told = (sql: string, declared = {}) =>
  tenantJoinProblems(path, readSource(`const text = sql\`${sql}\``), tables, declared).map(({ line, message }) => [
    line,
    message.replace(/ names no .*/, "")
  ])

describe("joins of tenants' tables", () => {
  it("are those of tables with a column of a tenant", () => {
    assert.deepStrictEqual([...tables], ["messages", "wallets"])
  })

  it("name the tenant in their condition", () => {
    assert.deepStrictEqual(
      told(
        "select 1 from batches b join messages m on m.environment_id = b.environment_id and m.batch_id = b.id where true"
      ),
      []
    )
    assert.deepStrictEqual(told("select 1 from organizations o left join wallets w on w.account_id = o.id"), [])
    assert.deepStrictEqual(told("select 1 from accounts a join rate_cards r on r.version = a.version"), [])
    assert.deepStrictEqual(
      told("select 1 from batches b\n left join messages m on m.batch_id = b.id where b.environment_id = 'env_1'"),
      [[2, "the join of messages"]]
    )
    assert.deepStrictEqual(told("select 1 from batches b cross join messages m where true"), [
      [1, "the join of messages"]
    ])
    assert.deepStrictEqual(told("select 1 from batches b, messages m where m.batch_id = b.id"), [
      [1, "the join of messages"]
    ])
    assert.deepStrictEqual(
      told("select 1 from batches b, messages m where m.environment_id = b.environment_id and m.batch_id = b.id"),
      []
    )
  })

  it("are excused with a reason, as long as they are there", () => {
    const across = "select 1 from batches b join messages m on m.batch_id = b.id"
    assert.deepStrictEqual(told(across, { [path]: { messages: "a reason" } }), [])
    assert.deepStrictEqual(told("select 1 from batches where true", { [path]: { messages: "a reason" } }), [
      [1, "no join of messages is left to excuse"]
    ])
  })
})
