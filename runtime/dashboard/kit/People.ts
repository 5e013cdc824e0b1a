import type { Person } from "@carteiro/http-edge/Admission.ts"
import { scopesOf } from "../../access/Access.ts"
import type { Session } from "../sessions/Sessions.ts"

/** Returns a member as the caller of operations in an environment. */
export type PeopleOfMember = (environmentId: string) => Person

/** Returns the member of a session as the caller of operations: one person an environment, whose reads are admitted once. */
export const peopleOf = ({ member, organization }: Session): PeopleOfMember => {
  const people = new Map<string, Person>()
  return (environment_id) => {
    const known = people.get(environment_id)
    if (known !== undefined) return known
    const scopes = scopesOf(member.role)
    const person = { organization_id: organization.id, environment_id, member_id: member.id, scopes }
    people.set(environment_id, person)
    return person
  }
}
