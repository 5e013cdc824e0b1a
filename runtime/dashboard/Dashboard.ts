export { SignIn } from "./sessions/SignIn.ts"
