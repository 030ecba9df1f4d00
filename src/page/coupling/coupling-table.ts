/**
 * The frames of each plan, as the page lists them, and those by which couplings and their cars are known.
 * Follows from src/coupling/couplings: tools/derived-documents.ts has written it.
 */

/** By the names of the network's description. */
export const FRAME_IDS = {
	Bremse_1: 0x1a0,
	Motor_1: 0x280,
	Motor_3: 0x380,
	Bremse_3: 0x4a0,
	Bremse_2: 0x5a0,
	Bremse_9: 0x0ae,
	Lenkwinkel_1: 0x0c2,
	Motor_2: 0x288,
	Bremse_4: 0x2a0,
	Kombi_1: 0x320,
	Bremse_10: 0x3a0,
	Motor_5: 0x480,
	Bremse_5: 0x4a8,
	Gate_Komf_1: 0x390,
	Gate_Komf_2: 0x392,
	Kombi_2: 0x420,
	Kombi_3: 0x520,
	Bremse_11: 0x5b7,
	Systeminfo_1: 0x5d0,
	Soll_Verbauliste_neu: 0x5dc,
	NMH_Gateway: 0x720,
	Diagnose_1: 0x7d0,
	ESP_14: 0x08a,
	Motor_11: 0x0a7,
	Motor_12: 0x0a8,
	ESP_19: 0x0b2,
	ESP_05: 0x106,
	ESP_10: 0x116,
	ESP_29: 0x18c,
	Kombi_01: 0x30b,
	Charisma_01: 0x385,
	ESP_07: 0x392,
	Motor_14: 0x3be,
	Getriebe_14: 0x3c8,
	Gateway_72: 0x3db,
	Parkhilfe_04: 0x54b,
	Systeminfo_01: 0x585,
	ESP_23: 0x5be,
	Motor_07: 0x640,
	Motor_Code_01: 0x641,
	ESP_20: 0x65d,
	Diagnose_01: 0x6b2,
	Kombi_02: 0x6b7,
	LWI_01: 0x086,
	Getriebe_11: 0x0ad,
	Motor_20: 0x121,
	ESP_18: 0x135,
} as const;

const LIST_0 = `*~Bremse_1 *Motor_1 *Motor_3 *~Bremse_3`;
const LIST_1 = `~Bremse_1 *Motor_1 Motor_3 *~Bremse_3`;
const LIST_2 = `*Motor_1 *~Bremse_3`;
const LIST_3 = `*~Bremse_1 *Motor_1 *Motor_3 *~Bremse_3 *Bremse_2`;
const LIST_4 = `Bremse_9 Lenkwinkel_1 ~Bremse_1 *Motor_1 Motor_2 Bremse_4 Kombi_1 Bremse_10 Motor_5 *~Bremse_3
	Bremse_5 *Bremse_2`;
const LIST_5 = `Lenkwinkel_1 *Bremse_1 *Motor_1 *Bremse_4 *~Bremse_3 *Bremse_2`;
const LIST_6 = `Bremse_9 Lenkwinkel_1 *~Bremse_1 *Motor_1 *Bremse_4 Kombi_1 Gate_Komf_1 Gate_Komf_2 Kombi_2 *~Bremse_3
	Kombi_3 *Bremse_2 Bremse_11 Systeminfo_1 Soll_Verbauliste_neu NMH_Gateway Diagnose_1`;
const LIST_7 = `*Motor_1 *Bremse_4 *~Bremse_3`;
const LIST_8 = `*ESP_14 *Motor_11 *Motor_12 *~ESP_19 ESP_05 *ESP_10 ESP_29 Kombi_01 Charisma_01 ESP_07
	Motor_14 Getriebe_14 Gateway_72 Parkhilfe_04 Systeminfo_01 ESP_23 Motor_07 Motor_Code_01 ESP_20 Diagnose_01
	Kombi_02`;
const LIST_9 = `LWI_01 *ESP_14 *Motor_11 *Motor_12 Getriebe_11 *~ESP_19 ESP_05 *ESP_10 Motor_20 ESP_18
	ESP_29 Kombi_01 Charisma_01 ESP_07 Motor_14 Getriebe_14 Gateway_72 Parkhilfe_04 Systeminfo_01 ESP_23
	Motor_07 Motor_Code_01 ESP_20 Diagnose_01 Kombi_02`;
const LIST_10 = `*ESP_14 *Motor_11 *~ESP_19`;
const LIST_11 = `LWI_01 *ESP_14 *Motor_11 Motor_12 Getriebe_11 *~ESP_19 ESP_05 ESP_10 Motor_20 ESP_18
	ESP_29 Kombi_01 Charisma_01 ESP_07 Motor_14 Getriebe_14 Gateway_72 Parkhilfe_04 Systeminfo_01 ESP_23
	Motor_07 Motor_Code_01 ESP_20 Diagnose_01 Kombi_02`;
const LIST_12 = `Lenkwinkel_1 *Motor_1 *Bremse_4 *~Bremse_3`;
const LIST_13 = `LWI_01 *ESP_14 *Motor_11 *Motor_12 Getriebe_11 *ESP_19 ESP_05 *ESP_10 Motor_20 ESP_18
	ESP_29 Kombi_01 Charisma_01 Motor_14 Getriebe_14 Gateway_72 Parkhilfe_04 Systeminfo_01 ESP_23 Motor_07
	Motor_Code_01 ESP_20 Diagnose_01 Kombi_02`;
const LIST_14 = `LWI_01 *ESP_14 *Motor_11 Motor_12 Getriebe_11 *ESP_19 ESP_05 ESP_10 Motor_20 ESP_18
	ESP_29 Kombi_01 Charisma_01 Motor_14 Getriebe_14 Gateway_72 Parkhilfe_04 Systeminfo_01 ESP_23 Motor_07
	Motor_Code_01 ESP_20 Diagnose_01 Kombi_02`;

/** By generation, profile, and whether there is a car. `*`: a byte follows the lock; `~`: it tells a speed. */
export const PLAN_FRAMES: Readonly<Record<string, string>> = {
	"1 reference car": LIST_0,
	"1 reference alone": LIST_1,
	"1 corrected car": LIST_2,
	"1 corrected alone": LIST_1,
	"2 reference car": LIST_3,
	"2 reference alone": LIST_4,
	"2 corrected car": LIST_2,
	"2 corrected alone": LIST_4,
	"4 reference car": LIST_5,
	"4 reference alone": LIST_6,
	"4 corrected car": LIST_7,
	"4 corrected alone": LIST_6,
	"5 reference car": LIST_8,
	"5 reference alone": LIST_9,
	"5 corrected car": LIST_10,
	"5 corrected alone": LIST_11,
	"51 reference car": LIST_12,
	"51 reference alone": LIST_6,
	"51 corrected car": LIST_7,
	"51 corrected alone": LIST_6,
	"53 reference car": LIST_13,
	"53 reference alone": LIST_13,
	"53 corrected car": LIST_14,
	"53 corrected alone": LIST_14,
};

/** Of each generation: the network of its car, the frame in which it reports, and its length. */
export const REPORTS = {
	1: { network: "pq", id: 0x2c0, bytes: 8 },
	2: { network: "pq", id: 0x2c0, bytes: 4 },
	4: { network: "pq", id: 0x2c0, bytes: 8 },
	5: { network: "mqb", id: 0x118, bytes: 4 },
	51: { network: "pq", id: 0x2c0, bytes: 8 },
	53: { network: "pq", id: 0x118, bytes: 4 },
} as const;

/** What the cars of each network send. */
export const CAR_FRAMES = {
	pq: [0x1a0, 0x280, 0x4a0],
	mqb: [0x0a7, 0x0a8, 0x0b2, 0x0fd, 0x107, 0x121],
} as const;
