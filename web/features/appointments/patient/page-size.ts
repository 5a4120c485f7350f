/** Number of a patient's appointments that each list shows at a time. */
export const pageSize = 5
