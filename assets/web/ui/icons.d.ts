// The drawings of third_party/lucide, by their names; the bundler makes the module.
declare module "icons" {
  const inside: Record<string, string>;
  export default inside;
  const drawing: string;
  export { drawing as "arrow-left", drawing as "chevron-down", drawing as "chevron-left", drawing as "chevron-right", drawing as "chevron-up", drawing as download, drawing as ellipsis, drawing as "file-text", drawing as maximize, drawing as "message-square", drawing as minimize, drawing as "panel-left", drawing as printer, drawing as search, drawing as "sliders-horizontal", drawing as "triangle-alert", drawing as x };
}
