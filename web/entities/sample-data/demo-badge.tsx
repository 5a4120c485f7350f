import { Badge } from '@fluentui/react-components'

/** Badge that marks sample records. */
export function DemoBadge({ className }: { className?: string }) {
  return (
    <Badge appearance="outline" color="informative" size="small" {...(className ? { className } : {})}>
      Demo
    </Badge>
  )
}
