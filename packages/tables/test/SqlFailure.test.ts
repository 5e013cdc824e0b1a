import { assert, describe, it } from "@effect/vitest"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { databaseAway, outOfRoom } from "../SqlFailure.ts"

const lost = (code: string) =>
  new SqlError({
    reason: new ConnectionError({ cause: Object.assign(new Error("gone"), { code }), operation: "query" })
  })
const told = (code: string) =>
  new SqlError({ reason: new UnknownError({ cause: Object.assign(new Error("told"), { code }), operation: "query" }) })

describe("A database failure", () => {
  it("treats a system error of a broken socket as no SQLSTATE: the database is away", () => {
    for (const code of ["EPIPE", "ENOTC", "ECONNRESET", "ECONNREFUSED", "EAGAIN", "ETIMEDOUT", "EBADF"]) {
      assert.isTrue(databaseAway(lost(code)), code)
    }
  })

  it("reads the SQLSTATE where one exists", () => {
    for (const code of ["08006", "53300", "57P01", "57P03", "25006"]) assert.isTrue(databaseAway(told(code)), code)
    for (const code of ["23505", "40P01", "42P01", "P0001", "XX000", "22P05"]) {
      assert.isFalse(databaseAway(told(code)), code)
    }
  })

  it("is known as one for want of room by its SQLSTATE alone, never where the connection was lost", () => {
    for (const code of ["53100", "53200"]) assert.isTrue(outOfRoom(told(code)), code)
    for (const error of [told("53300"), told("08006"), lost("ENOSPC")]) assert.isFalse(outOfRoom(error))
  })
})
