export { continueActivityNumbers } from "./ActivityNumbers.ts"
