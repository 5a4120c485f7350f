import { Badge } from '@fluentui/react-components'

/** Marks what belongs to the sample practice, beside what tells two records of one name apart. */
export function DemoBadge({ className }: { className?: string }) {
  return (
    <Badge appearance="outline" color="informative" size="small" {...(className ? { className } : {})}>
      Demo
    </Badge>
  )
}
