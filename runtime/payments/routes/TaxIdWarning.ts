import type { RequestWarning } from "@carteiro/schema/conventions/Access.ts"
import { checkDigitsFit } from "@carteiro/spellings/TaxId.ts"

/** Returns the warning about a tax id whose check digits do not fit. gaps-3 "Amendments of November 2026" */
export const taxIdWarning = (taxId: string | null | undefined): RequestWarning | undefined =>
  taxId == null || checkDigitsFit(taxId) ? undefined : "tax_id_check_digits"
