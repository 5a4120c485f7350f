/** Formats a role for display: "staff" as "Staff" (spec). */
export const formatRole = (role: string): string => role.slice(0, 1).toUpperCase() + role.slice(1)
