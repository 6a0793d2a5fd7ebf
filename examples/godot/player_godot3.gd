extends KinematicBody2D

export var pace = 320.0
export(PackedScene) var spark_scene

var turn = deg2rad(15)


func _physics_process(_delta):
	var motion = Vector2.ZERO
	motion.x = Input.get_action_strength("steer_right") - Input.get_action_strength("steer_left")
	motion.y = Input.get_action_strength("steer_down") - Input.get_action_strength("steer_up")
	motion = move_and_slide(motion.normalized() * pace)
	$AnimatedSprite.flip_h = motion.x < 0
	$AnimatedSprite.rotation = turn * sign(motion.x)


func burst():
	var spark = spark_scene.instance()
	get_parent().add_child(spark)
	spark.position = position
	yield(get_tree().create_timer(0.4), "timeout")
	spark.queue_free()
