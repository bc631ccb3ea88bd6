// What each rule of findings means, by id. The build makes it from the doctor's own list (internal/doctor).
declare module "rules" {
  const rules: Record<string, { title: string; help: string }>;
  export default rules;
}
