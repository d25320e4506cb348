// The drawings of third_party/lucide, by their names; the bundler makes the module.
declare module "icons" {
  const inside: Record<string, string>;
  export default inside;
}
