/**
 * The frames of each plan, as the page lists them.
 * Follows from src/coupling/couplings: tools/derived-documents.ts has written it.
 */

export const FRAME_IDS = {
	Motor_1: 0x280,
	Motor_3: 0x380,
	Bremse_1: 0x1a0,
	Bremse_3: 0x4a0,
	Bremse_2: 0x5a0,
	Bremse_4: 0x2a0,
	Bremse_5: 0x4a8,
	Bremse_9: 0x0ae,
	Lenkwinkel_1: 0x0c2,
	Motor_2: 0x288,
	Motor_5: 0x480,
	Bremse_10: 0x3a0,
	Kombi_1: 0x320,
	Kombi_3: 0x520,
	Gate_Komf_1: 0x390,
	Gate_Komf_2: 0x392,
	Systeminfo_1: 0x5d0,
	Soll_Verbauliste_neu: 0x5dc,
	Bremse_11: 0x5b7,
	Kombi_2: 0x420,
	NMH_Gateway: 0x720,
	Diagnose_1: 0x7d0,
	ESP_19: 0x0b2,
	Motor_12: 0x0a8,
	Motor_11: 0x0a7,
	ESP_14: 0x08a,
	ESP_10: 0x116,
	ESP_05: 0x106,
	Kombi_01: 0x30b,
	ESP_23: 0x5be,
	Parkhilfe_04: 0x54b,
	Gateway_72: 0x3db,
	Getriebe_14: 0x3c8,
	Motor_14: 0x3be,
	ESP_07: 0x392,
	ESP_29: 0x18c,
	Motor_07: 0x640,
	Charisma_01: 0x385,
	Systeminfo_01: 0x585,
	Motor_Code_01: 0x641,
	ESP_20: 0x65d,
	Diagnose_01: 0x6b2,
	Kombi_02: 0x6b7,
	ESP_18: 0x135,
	Getriebe_11: 0x0ad,
	LWI_01: 0x086,
	Motor_20: 0x121,
} as const;

/** By generation, profile, and whether there is a car. `*`: a byte follows the lock; `~`: it tells a speed. */
export const PLAN_FRAMES = {
	"1 reference car": "*Motor_1 *Motor_3 *~Bremse_1 *~Bremse_3",
	"1 reference alone": "*Motor_1 Motor_3 ~Bremse_1 *~Bremse_3",
	"1 corrected car": "*Motor_1 *~Bremse_3",
	"1 corrected alone": "*Motor_1 Motor_3 ~Bremse_1 *~Bremse_3",
	"2 reference car": "*Motor_1 *Motor_3 *~Bremse_1 *Bremse_2 *~Bremse_3",
	"2 reference alone":
		"~Bremse_1 *Bremse_2 *~Bremse_3 Bremse_4 Bremse_5 Bremse_9 Lenkwinkel_1 *Motor_1 Motor_2 Motor_5 Bremse_10 Kombi_1",
	"2 corrected car": "*Motor_1 *~Bremse_3",
	"2 corrected alone":
		"~Bremse_1 *~Bremse_3 Bremse_4 Bremse_9 Lenkwinkel_1 *Motor_1 *Bremse_2 Bremse_5 Motor_2 Motor_5 Bremse_10 Kombi_1",
	"4 reference car": "Lenkwinkel_1 *Motor_1 *Bremse_1 *Bremse_2 *~Bremse_3 *Bremse_4",
	"4 reference alone":
		"Lenkwinkel_1 *~Bremse_1 *~Bremse_3 *Bremse_4 Bremse_9 *Motor_1 *Bremse_2 Kombi_1 Kombi_3 Gate_Komf_1 Gate_Komf_2 Systeminfo_1 Soll_Verbauliste_neu Bremse_11 Kombi_2 NMH_Gateway Diagnose_1",
	"4 corrected car": "*Motor_1 *~Bremse_3 *Bremse_4",
	"4 corrected alone":
		"Lenkwinkel_1 *~Bremse_1 *~Bremse_3 *Bremse_4 Bremse_9 *Motor_1 *Bremse_2 Kombi_1 Kombi_3 Gate_Komf_1 Gate_Komf_2 Systeminfo_1 Soll_Verbauliste_neu Bremse_11 Kombi_2 NMH_Gateway Diagnose_1",
	"5 reference car":
		"*~ESP_19 *Motor_12 *Motor_11 *ESP_14 *ESP_10 ESP_05 Kombi_01 ESP_23 Parkhilfe_04 Gateway_72 Getriebe_14 Motor_14 ESP_07 ESP_29 Motor_07 Charisma_01 Systeminfo_01 Motor_Code_01 ESP_20 Diagnose_01 Kombi_02",
	"5 reference alone":
		"ESP_18 *~ESP_19 Getriebe_11 *Motor_12 *Motor_11 *ESP_14 LWI_01 Motor_20 *ESP_10 ESP_05 Kombi_01 ESP_23 Parkhilfe_04 Gateway_72 Getriebe_14 Motor_14 ESP_07 ESP_29 Motor_07 Charisma_01 Systeminfo_01 Motor_Code_01 ESP_20 Diagnose_01 Kombi_02",
	"5 corrected car": "*~ESP_19 *Motor_11 *ESP_14",
	"5 corrected alone":
		"ESP_18 *~ESP_19 Motor_12 *Motor_11 LWI_01 Motor_20 ESP_10 ESP_05 Getriebe_11 Kombi_01 Parkhilfe_04 Gateway_72 Getriebe_14 Motor_14 ESP_07 ESP_29 *ESP_14 ESP_23 Motor_07 Charisma_01 Systeminfo_01 Motor_Code_01 ESP_20 Diagnose_01 Kombi_02",
} as const;
