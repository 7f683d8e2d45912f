-- How much is logged, where an admin wants it otherwise than the configuration says.
ALTER TABLE agent.deployment_setting ADD COLUMN log_level text;
